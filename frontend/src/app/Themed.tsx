import {
  CheckCircleFilled,
  CloseCircleFilled,
  DownOutlined,
  ExclamationCircleFilled,
  InfoCircleFilled,
  LoadingOutlined,
} from '@ant-design/icons';
import { ConfigProvider, type ConfigProviderProps, type ThemeConfig } from 'antd';
import { useState, type ReactNode } from 'react';
import type { ColorMode } from './color.mode';
import { darkTheme, lightTheme } from './theme';
import { useColorMode } from './useColorMode';
import { useReducedMotion } from './useReducedMotion';

const withMotion = (theme: ThemeConfig, motion: boolean): ThemeConfig => ({
  ...theme,
  token: { ...theme.token, motion },
});
const movingThemes: Record<ColorMode, ThemeConfig> = {
  light: withMotion(lightTheme, true),
  dark: withMotion(darkTheme, true),
};
/** Without motion, antd doesn't wait for the end of animations, which global.css disables. */
const stillThemes: Record<ColorMode, ThemeConfig> = {
  light: withMotion(lightTheme, false),
  dark: withMotion(darkTheme, false),
};
const around = (motion: boolean): ThemeConfig => ({ cssVar: { key: 'portal-around' }, token: { motion } });
const movingAround = around(true);
const stillAround = around(false);

/** antd's own icons are images named after their files: screen readers would read “down” after each select. */
const icons: Pick<ConfigProviderProps, 'select' | 'alert'> = {
  select: { suffixIcon: <DownOutlined aria-hidden />, loadingIcon: <LoadingOutlined spin aria-hidden /> },
  alert: {
    successIcon: <CheckCircleFilled aria-hidden />,
    infoIcon: <InfoCircleFilled aria-hidden />,
    warningIcon: <ExclamationCircleFilled aria-hidden />,
    errorIcon: <CloseCircleFilled aria-hidden />,
  },
};

/** Provides the portal's theme to antd components. Loads with the first page, menu or dialog that uses antd. */
export function Themed({ children }: { children: ReactNode }) {
  const mode = useColorMode();
  const isReduced = useReducedMotion();
  // antd wraps the page in one more element if the motion of two nested providers differs. To add that element later, when
  // the visitor changes the setting, would remount the page. So the outer provider starts with the opposite motion.
  const [outer] = useState(isReduced ? movingAround : stillAround);
  const offered = isReduced ? stillThemes : movingThemes;
  return (
    <ConfigProvider theme={outer}>
      <ConfigProvider theme={offered[mode]} {...icons}>
        {children}
      </ConfigProvider>
    </ConfigProvider>
  );
}
