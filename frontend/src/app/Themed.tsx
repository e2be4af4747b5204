import { ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { darkTheme, lightTheme } from './theme';
import { useColorMode } from './useColorMode';

/** Gives antd's components below it the portal's theme. Loaded with the first page, menu or dialog that has any. */
export function Themed({ children }: { children: ReactNode }) {
  const mode = useColorMode();
  return <ConfigProvider theme={mode === 'dark' ? darkTheme : lightTheme}>{children}</ConfigProvider>;
}
