import { theme, type ThemeConfig } from 'antd';

export type Appearance = 'light' | 'dark';

/** Names of our own, so that a page that uses antd too sees none of its rules or variables change. */
export const prefixCls = 'oid';
export const iconPrefixCls = 'oid-icon';
/** The class that carries the theme's CSS variables (`--oid-…`); the stylesheet reads them under it. */
export const themeClass = 'oid-theme';

const palettes = {
  light: {
    colorPrimaryHover: '#D86A10',
    colorPrimaryActive: '#B4500B',
    colorLink: '#B4500B',
    colorLinkHover: '#963F05',
    colorLinkActive: '#7A3204',
    colorTextBase: '#1C1917',
    colorText: '#1C1917',
    colorTextSecondary: '#57534E',
    colorTextTertiary: '#706A64',
    colorTextPlaceholder: '#7A736C',
    colorBorder: '#D9D2CA',
    colorBorderSecondary: '#EAE4DD',
    colorError: '#C62828',
  },
  dark: {
    colorPrimaryHover: '#FF9145',
    colorPrimaryActive: '#D86A10',
    colorLink: '#FF9D57',
    colorLinkHover: '#FFB07A',
    colorLinkActive: '#F38A40',
    colorTextBase: '#F5F1EC',
    colorText: '#F5F1EC',
    colorTextSecondary: '#C3BBB2',
    colorTextTertiary: '#9C938A',
    colorTextPlaceholder: '#8C847B',
    colorBgBase: '#0E0D0C',
    colorBgContainer: '#171513',
    colorBorder: '#3B342E',
    colorBorderSecondary: '#26221F',
    colorError: '#F87171',
  },
} satisfies Record<Appearance, ThemeConfig['token']>;

const accent = '#F37920';
/** Dark text on the orange of filled buttons: 7.6:1, where white would have 2.6:1. */
const textOnAccent = '#1B0D03';

/** The panel's antd theme: one orange accent, warm greys, radius 8 and 6, the page's own typeface. */
export function loginTheme(appearance: Appearance, withMotion: boolean): ThemeConfig {
  return {
    algorithm: appearance === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    inherit: false,
    cssVar: { prefix: prefixCls, key: `${themeClass}-${appearance}` },
    hashed: false,
    token: {
      ...palettes[appearance],
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
      // The dark algorithm would dull the accent.
      Button: {
        colorPrimary: accent,
        primaryColor: textOnAccent,
        primaryShadow: 'none',
        defaultShadow: 'none',
        fontWeight: 500,
      },
      Form: { itemMarginBottom: 28, verticalLabelPadding: '0 0 4px' },
      Divider: { marginLG: 20 },
    },
  };
}
