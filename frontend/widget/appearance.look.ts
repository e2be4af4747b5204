import { defaultAppearance, type Appearance, type PartialAppearance } from '@orange-id/contract/appearance';
import {
  controlHeights,
  derivedColours,
  fontFamilyOf,
  innerRadius,
  mix,
} from '@orange-id/contract/appearance.derived';
import type { ThemeConfig } from 'antd';
import type { ColorScheme } from './color.scheme';

/** The saved appearance with what the page sets itself, which wins. */
export const mergedAppearance = (saved: Appearance, own: PartialAppearance | undefined): Appearance =>
  own === undefined ? saved : { ...saved, ...own };

/** antd's tokens for an appearance. Colours that are not chosen are derived from those that are, and stay readable. */
export function tokensOf(look: Appearance, scheme: ColorScheme): NonNullable<ThemeConfig['token']> {
  const { accent, background, text, border } = look.colours[scheme];
  const { hover, quiet, link, error } = derivedColours(look.colours[scheme], scheme);
  return {
    colorPrimary: accent,
    colorPrimaryHover: hover,
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
    colorError: error,
    fontFamily: fontFamilyOf(look.font),
    fontSize: look.fontSize,
    borderRadius: innerRadius(look.radius),
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
