const fetched = ['https:', 'http:', 'data:'];

/** The first of these that a page can fetch a picture from, without outer white space; `javascript:` is none. */
export function pictureAddress(...named: (string | null | undefined)[]): string | null {
  const addresses = named.map((text) => text?.trim() ?? '');
  return addresses.find((address) => address !== '' && fetched.includes(protocolOf(address))) ?? null;
}

/** A path is fetched from the portal. */
const protocolOf = (address: string): string =>
  URL.canParse(address, 'https://portal') ? new URL(address, 'https://portal').protocol : '';
