import {
  defaultAppearance,
  type Appearance,
  type AppearanceFont,
  type AppearancePalette,
} from './appearance.js';
import { nearestReadable } from './contrast.rule.js';

/** `amount` of the way from one colour to the other; colours as `#RRGGBB`. */
export function mix(from: string, to: string, amount: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((colour) => parseInt(colour.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a + (b - a) * amount)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`.toUpperCase();
}

/** The colours that an owner does not choose, from those that they do; text stays readable. */
export const derivedColours = (
  { accent, background, text }: AppearancePalette,
  scheme: 'light' | 'dark',
): { hover: string; quiet: string; link: string; error: string } => ({
  hover: mix(accent, text, 0.12),
  quiet: nearestReadable(mix(text, background, 0.3), background),
  link: nearestReadable(accent, background),
  error: nearestReadable(scheme === 'dark' ? '#F87171' : '#C62828', background),
});

/** The families of the self-hosted fonts, as their style sheets name them. */
const families: Record<Exclude<AppearanceFont, 'system'>, string> = {
  inter: "'Inter Variable', sans-serif",
  figtree: "'Figtree Variable', sans-serif",
  nunito: "'Nunito Variable', sans-serif",
  'source-serif': "'Source Serif 4 Variable', serif",
  'jetbrains-mono': "'JetBrains Mono Variable', monospace",
};

/** The page's own font stands for the system's. */
export const fontFamilyOf = (font: AppearanceFont): string =>
  font === 'system' ? 'inherit' : families[font];

/** The path of a self-hosted font's style sheet; null without one. */
export const fontPathOf = (font: AppearanceFont): string | null =>
  font === 'system' ? null : `/widget/fonts/${font}.css`;

/**
 * The title of a panel: the owner's text and the app's name, which a logo stands for. Without a name, the default text
 * would end in the middle of a sentence.
 */
export function titleOf(text: string, appName: string | undefined, hasLogo: boolean): string {
  if (hasLogo) return text;
  if (!appName) return text === defaultAppearance.texts.title ? 'Sign in' : text;
  return `${text} ${appName}`.trim();
}

/** Of buttons and fields, in px. */
export const controlHeights: Record<Appearance['density'], number> = {
  compact: 36,
  normal: 44,
  spacious: 52,
};

/** The radius of a control inside a box with this radius. */
export const innerRadius = (radius: number): number => Math.round(radius * 0.75);

/**
 * The sentence that links to a project's terms and privacy policy, in parts: texts, and the address of each that is a
 * link. Empty if it has neither.
 */
export function legalParts(
  termsUrl: string | null,
  privacyUrl: string | null,
): [text: string, ...href: string[]][] {
  const links = [
    ['Terms', termsUrl],
    ['Privacy Policy', privacyUrl],
  ].filter((link): link is [string, string] => Boolean(link[1]));
  if (links.length === 0) return [];
  const joined = links.flatMap((link, at): [string, ...string[]][] =>
    at > 0 ? [[' and the '], link] : [link],
  );
  return [['By continuing, you agree to the '], ...joined, ['.']];
}
