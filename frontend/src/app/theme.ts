import { accent, brandPalette, textOnAccent } from '@orange-id/contract/brand.palette';
import { theme, type MappingAlgorithm, type ThemeConfig } from 'antd';

const shared: ThemeConfig['token'] = {
  colorPrimary: accent,
  fontFamily:
    "'Inter Variable', 'Inter Fallback', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyCode: "'JetBrains Mono Variable', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  fontSize: 14,
  fontSizeSM: 12,
  fontSizeLG: 16,
  fontSizeHeading3: 20,
  fontSizeHeading5: 14,
  borderRadius: 6,
  borderRadiusLG: 8,
  controlHeight: 36,
  motionDurationFast: '0.12s',
  motionDurationMid: '0.16s',
  motionDurationSlow: '0.2s',
};

const button = {
  primaryColor: textOnAccent,
  primaryShadow: 'none',
  defaultShadow: 'none',
  fontWeight: 500,
};

/** Small enough to show the whole date and time. */
const datePicker = { inputFontSize: 13 };

const segmented = {
  trackBg: 'var(--ant-color-fill-quaternary)',
  itemSelectedBg: 'var(--ant-color-fill-secondary)',
};

/**
 * The dark algorithm would derive duller versions of these five; they are chosen by eye and contrast, and stay as the
 * theme sets them.
 */
const darkWithSeeds: MappingAlgorithm = (seed, map) => {
  const { colorPrimary, colorSuccess, colorWarning, colorError, colorInfo } = seed;
  return {
    ...theme.darkAlgorithm(seed, map),
    colorPrimary,
    colorSuccess,
    colorWarning,
    colorError,
    colorInfo,
  };
};

/** Light: white cards on a warm off-white page. */
export const lightTheme: ThemeConfig = {
  cssVar: { key: 'portal' },
  algorithm: theme.defaultAlgorithm,
  token: {
    ...shared,
    ...brandPalette.light,
    colorPrimaryText: '#B4500B',
    colorPrimaryTextHover: '#963F05',
    colorPrimaryTextActive: '#7A3204',
    colorPrimaryBg: '#FFF3E9',
    colorPrimaryBgHover: '#FFE7D3',
    colorPrimaryBorder: '#F8C79F',
    colorTextDescription: '#706A64',
    colorSplit: '#EAE4DD',
    colorSuccess: '#15803D',
    colorWarning: '#A16207',
    colorInfo: '#1D63B8',
    // antd derives grey from seeds this dark.
    colorSuccessBg: '#F0FAF3',
    colorSuccessBorder: '#A9DDBB',
    colorWarningBg: '#FFF8E6',
    colorWarningBorder: '#F2D58F',
    colorInfoBg: '#EEF5FD',
    colorInfoBorder: '#B4D2F3',
  },
  components: {
    // The accent has a contrast of only 2.8:1 on white.
    Input: { activeBorderColor: brandPalette.light.colorLink },
    Select: { activeBorderColor: brandPalette.light.colorLink },
    DatePicker: { ...datePicker, activeBorderColor: brandPalette.light.colorLink },
    // The brand's hover colour has a contrast of only 3.5:1 as text on white.
    Button: { ...button, defaultHoverColor: '#963F05', defaultActiveColor: '#7A3204' },
    Tabs: { itemSelectedColor: '#B4500B', itemHoverColor: '#963F05', itemActiveColor: '#963F05' },
    Segmented: { ...segmented, itemSelectedColor: '#1C1917' },
  },
};

/** Dark: a warm near-black, never pure black. */
export const darkTheme: ThemeConfig = {
  cssVar: { key: 'portal' },
  algorithm: darkWithSeeds,
  token: {
    ...shared,
    ...brandPalette.dark,
    colorPrimaryText: '#FF9D57',
    colorPrimaryTextHover: '#FFB07A',
    colorPrimaryTextActive: '#F38A40',
    colorPrimaryBg: '#2A190C',
    colorPrimaryBgHover: '#37200F',
    colorPrimaryBorder: '#6B3A14',
    colorTextDescription: '#9C938A',
    colorBgLayout: '#0E0D0C',
    colorBgElevated: '#1E1B18',
    colorSplit: '#26221F',
    colorBorderDisabled: '#26221F',
    colorBgContainerDisabled: 'transparent',
    colorSuccess: '#4ADE80',
    colorWarning: '#FBBF24',
    colorInfo: '#7AB5F5',
  },
  components: {
    Button: { ...button, dangerColor: textOnAccent, borderColorDisabled: '#26221F' },
    Tabs: { itemSelectedColor: '#FF9D57', itemHoverColor: '#FFB07A', itemActiveColor: '#FFB07A' },
    DatePicker: datePicker,
    Segmented: segmented,
  },
};
