import type { SignInPlatform } from '@orange-id/contract/project.users.schema';

/** The order matters: a browser that also sends the names of other browsers comes before them. */
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
const systems: readonly [RegExp, Exclude<SignInPlatform, 'Other'>][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Longer User-Agents are cut. Those of real browsers have at most half as many characters. */
const keptCharacters = 512;

/** The stored part of a User-Agent header: its first characters, or null without one. */
export function keptUserAgent(header: string | undefined): string | null {
  return header?.trim().slice(0, keptCharacters) || null;
}

/** The operating system that a User-Agent names. */
export const platformOf = (userAgent: string | undefined): SignInPlatform =>
  systems.find(([pattern]) => pattern.test(keptUserAgent(userAgent) ?? ''))?.[1] ?? 'Other';

/**
 * Describes a User-Agent so that its owner recognises it: 'Chrome on Linux', or the name of a program such as 'curl'.
 * At most 40 characters, only letters, digits and punctuation; null if nothing is recognised.
 */
export function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const nameIn = (table: readonly (readonly [RegExp, string])[]) =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (browser && system) return `${browser} on ${system}`;
  if (browser ?? system) return browser ?? (system as string);
  return /^[A-Za-z0-9][\w.-]{0,39}/.exec(userAgent)?.[0] ?? null;
}
