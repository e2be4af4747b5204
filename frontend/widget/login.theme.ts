import { theme, type ThemeConfig } from 'antd';

export type Appearance = 'light' | 'dark';

/** Names of our own, so that a page that uses antd too sees none of its rules or variables change. */
export const prefixCls = 'oid';
export const iconPrefixCls = 'oid-icon';
/** The class that carries the theme's CSS variables (`--oid-…`); the stylesheet reads them under it. */
export const themeClass = 'oid-theme';

const palettes = {
  light: {
    colorBgBase: '#FFFFFF',
    colorTextBase: '#1C1917',
    colorTextSecondary: '#57514B',
    colorTextTertiary: '#6F6862',
    colorTextPlaceholder: '#7A726B',
    colorBorder: '#D6D0CA',
    colorBorderSecondary: '#E7E2DD',
    colorBgContainer: '#FFFFFF',
    colorBgTextHover: '#F5F2EF',
    colorLink: '#B4500B',
    colorLinkHover: '#8F3F08',
    colorLinkActive: '#8F3F08',
    colorError: '#B42318',
  },
  dark: {
    colorBgBase: '#0E0D0C',
    colorTextBase: '#F5F2EF',
    colorTextSecondary: '#B8AFA7',
    colorTextTertiary: '#9A918A',
    colorTextPlaceholder: '#8C837B',
    colorBorder: '#3A3430',
    colorBorderSecondary: '#26221F',
    colorBgContainer: '#171513',
    colorBgTextHover: '#221F1C',
    colorLink: '#F9A265',
    colorLinkHover: '#FBBD90',
    colorLinkActive: '#FBBD90',
    colorError: '#F97066',
  },
} satisfies Record<Appearance, ThemeConfig['token']>;

/** Dark text on the orange of filled buttons: white on it is 2.7:1, this is above 7:1. */
const textOnAccent = '#1C1208';

/** The panel's antd theme: one orange accent, warm greys, radius 8 and 6, the page's own typeface. */
export function loginTheme(appearance: Appearance, withMotion: boolean): ThemeConfig {
  return {
    algorithm: appearance === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    inherit: false,
    cssVar: { prefix: prefixCls, key: `${themeClass}-${appearance}` },
    hashed: false,
    token: {
      ...palettes[appearance],
      colorPrimary: '#F37920',
      colorPrimaryHover: '#FF8C37',
      colorPrimaryActive: '#D86A10',
      colorTextLightSolid: textOnAccent,
      fontFamily: 'inherit',
      fontSize: 14,
      borderRadius: 6,
      borderRadiusLG: 8,
      controlHeight: 36,
      controlHeightLG: 44,
      controlOutlineWidth: 3,
      motion: withMotion,
      motionDurationMid: '0.15s',
      motionDurationSlow: '0.2s',
    },
    components: {
      Button: { primaryColor: textOnAccent, primaryShadow: 'none', defaultShadow: 'none', fontWeight: 500 },
      Form: { itemMarginBottom: 20, verticalLabelPadding: '0 0 4px' },
      Divider: { marginLG: 20 },
    },
  };
}
