import { accent, brandPalette, textOnAccent } from '@orange-id/contract/brand.palette';
import { theme, type ThemeConfig } from 'antd';

export type Appearance = 'light' | 'dark';

/** Own prefixes, so that this widget's styles and variables never affect a page that also uses antd. */
export const prefixCls = 'oid';
export const iconPrefixCls = 'oid-icon';
/** The class that carries the theme's CSS variables (`--oid-…`), which the stylesheet reads. */
export const themeClass = 'oid-theme';

/** The panel's antd theme: one orange accent, warm greys, radius 8 and 6, the page's typeface. */
export function loginTheme(appearance: Appearance, withMotion: boolean): ThemeConfig {
  return {
    algorithm: appearance === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    inherit: false,
    cssVar: { prefix: prefixCls, key: `${themeClass}-${appearance}` },
    hashed: false,
    token: {
      ...brandPalette[appearance],
      colorPrimary: accent,
      fontFamily: 'inherit',
      fontSize: 14,
      borderRadius: 6,
      borderRadiusLG: 8,
      controlHeight: 36,
      controlHeightLG: 44,
      controlOutlineWidth: 3,
      motion: withMotion,
      motionDurationMid: '0.16s',
      motionDurationSlow: '0.2s',
    },
    components: {
      // The dark algorithm would derive a duller accent.
      Button: {
        colorPrimary: accent,
        primaryColor: textOnAccent,
        primaryShadow: 'none',
        defaultShadow: 'none',
        fontWeight: 500,
      },
      Input: { activeBorderColor: brandPalette[appearance].colorLink },
      Form: { itemMarginBottom: 28, verticalLabelPadding: '0 0 4px' },
      Divider: { marginLG: 20 },
    },
  };
}
