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
/** Without motion antd waits for no end of one, which global.css lets nothing have. */
const stillThemes: Record<ColorMode, ThemeConfig> = {
  light: withMotion(lightTheme, false),
  dark: withMotion(darkTheme, false),
};
const around = (motion: boolean): ThemeConfig => ({ cssVar: { key: 'portal-around' }, token: { motion } });
const movingAround = around(true);
const stillAround = around(false);

/** antd's own icons are images named after their files: screen readers would read “down” after each list. */
const icons: Pick<ConfigProviderProps, 'select' | 'alert'> = {
  select: { suffixIcon: <DownOutlined aria-hidden />, loadingIcon: <LoadingOutlined spin aria-hidden /> },
  alert: {
    successIcon: <CheckCircleFilled aria-hidden />,
    infoIcon: <InfoCircleFilled aria-hidden />,
    warningIcon: <ExclamationCircleFilled aria-hidden />,
    errorIcon: <CloseCircleFilled aria-hidden />,
  },
};

/** Gives antd's components below it the portal's theme. Loaded with the first page, menu or dialog that has any. */
export function Themed({ children }: { children: ReactNode }) {
  const mode = useColorMode();
  const isReduced = useReducedMotion();
  // antd keeps a switch for motion only between two providers that differ in it from the beginning on: put there later,
  // when the visitor's wish changes, it would have the page below begin anew.
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
