import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import { accent, brandPalette } from '@orange-id/contract/brand.palette';
import { theme, type ThemeConfig } from 'antd';
import { hasDefaultTheme, tokensOf } from './appearance.look';
import type { ColorScheme } from './color.scheme';

/** Own prefixes, so that this widget's styles and variables never affect a page that also uses antd. */
export const prefixCls = 'oid';
export const iconPrefixCls = 'oid-icon';
/** The class that carries the theme's CSS variables (`--oid-…`), which the stylesheet reads. */
export const themeClass = 'oid-theme';

/** The class with the theme's variables: of one panel, because two on a page can have different looks. */
export const themeKey = (scheme: ColorScheme, panel = 0): string => `${themeClass}-${scheme}-${panel}`;

/**
 * The panel's antd theme: one orange accent, warm greys, radius 8 and 6, the page's typeface, or what the project's
 * appearance says.
 */
export function loginTheme(
  scheme: ColorScheme,
  withMotion: boolean,
  look: Appearance = defaultAppearance,
  key = themeKey(scheme),
): ThemeConfig {
  const isDefault = hasDefaultTheme(look);
  const { accent: button, buttonText } = look.colours[scheme];
  const tokens = isDefault ? ownTokens(scheme) : tokensOf(look, scheme);
  return {
    algorithm: scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    inherit: false,
    cssVar: { prefix: prefixCls, key },
    hashed: false,
    token: {
      ...tokens,
      controlOutlineWidth: 3,
      motion: withMotion,
      motionDurationMid: '0.16s',
      motionDurationSlow: '0.2s',
    },
    components: {
      // The dark algorithm would derive a duller accent.
      Button: {
        colorPrimary: button,
        primaryColor: buttonText,
        primaryShadow: 'none',
        defaultShadow: 'none',
        fontWeight: 500,
      },
      Input: { activeBorderColor: tokens.colorLink },
      Form: { itemMarginBottom: 28, verticalLabelPadding: '0 0 4px' },
      Divider: { marginLG: 20 },
    },
  };
}

const ownTokens = (scheme: ColorScheme) => ({
  ...brandPalette[scheme],
  colorPrimary: accent,
  fontFamily: 'inherit',
  fontSize: 14,
  borderRadius: 6,
  borderRadiusLG: 8,
  controlHeight: 36,
  controlHeightLG: 44,
});
