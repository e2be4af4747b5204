import {
  defaultAppearance,
  type Appearance,
  type AppearanceFont,
  type PartialAppearance,
} from '@orange-id/contract/appearance';
import { nearestReadable } from '@orange-id/contract/contrast.rule';
import type { ThemeConfig } from 'antd';
import type { ColorScheme } from './color.scheme';

/** The saved appearance with what the page sets itself, which wins. */
export const mergedAppearance = (saved: Appearance, own: PartialAppearance | undefined): Appearance =>
  own === undefined ? saved : { ...saved, ...own };

/** `amount` of the way from one colour to the other; colours as `#RRGGBB`. */
function mix(from: string, to: string, amount: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((colour) => parseInt(colour.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a + (b - a) * amount)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`.toUpperCase();
}

const controlHeights = { compact: 36, normal: 44, spacious: 52 } as const;

/** The families of the self-hosted fonts, as their style sheets name them. */
const families: Record<Exclude<AppearanceFont, 'system'>, string> = {
  inter: "'Inter Variable', sans-serif",
  figtree: "'Figtree Variable', sans-serif",
  nunito: "'Nunito Variable', sans-serif",
  'source-serif': "'Source Serif 4 Variable', serif",
  'jetbrains-mono': "'JetBrains Mono Variable', monospace",
};

export const fontFamilyOf = (font: AppearanceFont): string =>
  font === 'system' ? 'inherit' : families[font];

/** antd's tokens for an appearance. Colours that are not chosen are derived from those that are, and stay readable. */
export function tokensOf(look: Appearance, scheme: ColorScheme): NonNullable<ThemeConfig['token']> {
  const { accent, background, text, border } = look.colours[scheme];
  const quiet = nearestReadable(mix(text, background, 0.3), background);
  const link = nearestReadable(accent, background);
  return {
    colorPrimary: accent,
    colorPrimaryHover: mix(accent, text, 0.12),
    colorPrimaryActive: mix(accent, text, 0.24),
    colorLink: link,
    colorLinkHover: mix(link, text, 0.25),
    colorLinkActive: mix(link, text, 0.4),
    colorTextBase: text,
    colorText: text,
    colorTextSecondary: quiet,
    colorTextTertiary: quiet,
    colorTextPlaceholder: quiet,
    colorBgBase: background,
    colorBgContainer: background,
    colorBorder: border,
    colorBorderSecondary: mix(border, background, 0.3),
    colorError: nearestReadable(scheme === 'dark' ? '#F87171' : '#C62828', background),
    fontFamily: fontFamilyOf(look.font),
    fontSize: look.fontSize,
    borderRadius: Math.round(look.radius * 0.75),
    borderRadiusLG: look.radius,
    controlHeight: controlHeights[look.density] - 8,
    controlHeightLG: controlHeights[look.density],
  };
}

/** Whether the look is the default one, so that the panel keeps its own theme. */
export const hasDefaultTheme = (look: Appearance): boolean =>
  look === defaultAppearance ||
  (['colours', 'font', 'fontSize', 'radius', 'density'] as const).every(
    (name) => JSON.stringify(look[name]) === JSON.stringify(defaultAppearance[name]),
  );

/** The logo of a colour scheme; that of the other scheme if it has none. `null` without a logo. */
export function logoOf({ logo }: Appearance, scheme: ColorScheme, baseUrl: string): string | null {
  const path = logo[scheme] || logo[scheme === 'dark' ? 'light' : 'dark'];
  return pictureUrl(path, baseUrl);
}

/** An uploaded picture is at the service; any other is an https URL. */
export const pictureUrl = (path: string, baseUrl: string): string | null =>
  path === '' ? null : path.startsWith('/') ? `${baseUrl}${path}` : path;
