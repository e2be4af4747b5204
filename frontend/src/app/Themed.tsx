import { ConfigProvider, type ThemeConfig } from 'antd';
import type { ReactNode } from 'react';
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
/**
 * Around the other, because antd keeps a switch for motion only between two providers that differ in it: put there later,
 * when the visitor's wish changes, it would have the page below begin anew.
 */
const around: ThemeConfig = { cssVar: { key: 'portal-around' }, token: { motion: false } };

/** Gives antd's components below it the portal's theme. Loaded with the first page, menu or dialog that has any. */
export function Themed({ children }: { children: ReactNode }) {
  const mode = useColorMode();
  const offered = useReducedMotion() ? stillThemes : movingThemes;
  return (
    <ConfigProvider theme={around}>
      <ConfigProvider theme={offered[mode]}>{children}</ConfigProvider>
    </ConfigProvider>
  );
}
