/** The package has no types; this declares only what `readable.host.ts` uses. */
declare module 'punycode.js' {
  const punycode: { decode(text: string): string };
  export = punycode;
}
