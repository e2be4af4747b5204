const fetched = ['https:', 'http:', 'data:'];

/** The first of these that is a URL a picture can load from, trimmed; `javascript:` URLs are skipped. */
export function pictureAddress(...named: (string | null | undefined)[]): string | null {
  const addresses = named.map((text) => text?.trim() ?? '');
  return addresses.find((address) => address !== '' && fetched.includes(protocolOf(address))) ?? null;
}

/** Paths resolve against the portal. */
const protocolOf = (address: string): string =>
  URL.canParse(address, 'https://portal') ? new URL(address, 'https://portal').protocol : '';
