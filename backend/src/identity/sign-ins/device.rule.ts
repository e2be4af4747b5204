/** In order: what names itself by others' names too comes before them. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|OPT)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** More of a User-Agent is not kept: the longest of real browsers are half as long. */
const keptCharacters = 512;

/** What is stored of a User-Agent header: a bounded piece of it, or null without one. */
export function keptUserAgent(header: string | undefined): string | null {
  return header?.trim().slice(0, keptCharacters) || null;
}

/**
 * A User-Agent in words its owner knows: 'Chrome on Linux', or the name of a program such as 'curl'. At most 40
 * characters, letters, digits and marks only; null when it says nothing.
 */
export function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const nameIn = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (browser && system) return `${browser} on ${system}`;
  if (browser ?? system) return browser ?? (system as string);
  return /^[A-Za-z0-9][\w.-]{0,39}/.exec(userAgent)?.[0] ?? null;
}
