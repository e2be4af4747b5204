/** The accent colour of Orange ID. Text on white uses `colorLink` instead, because this has too little contrast. */
export const accent = '#F37920';
/** Dark text on the accent has a contrast of 7.6:1; white has 2.6:1. */
export const textOnAccent = '#1B0D03';

/** The colours that the portal and its login widget share, by antd token, for light and dark pages. */
export const brandPalette = {
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
    colorBgLayout: '#FAF8F5',
    colorBgContainer: '#FFFFFF',
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
} as const;
