import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import { useLayoutEffect, useState, type ReactNode } from 'react';
import { RouterProvider } from 'react-router-dom';
import { ConfigContext } from '../api/config.context';
import { configQuery } from '../api/get.config';
import { createQueryClient } from '../api/query.client';
import { Catch } from '../ui/Catch';
import { ToastProvider } from '../ui/toast';
import { useColorMode } from './color.mode';
import { ErrorScreen } from './ErrorScreen';
import { createRouter } from './router';
import { Splash } from './Splash';
import { darkTheme, lightTheme } from './theme';

/** The whole portal. */
export function App() {
  const mode = useColorMode();
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(createRouter);

  useLayoutEffect(() => {
    document.documentElement.dataset.theme = mode;
  }, [mode]);

  return (
    <ConfigProvider theme={mode === 'dark' ? darkTheme : lightTheme}>
      <Catch fallback={(error, retry) => <ErrorScreen error={error} onRetry={retry} />}>
        <QueryClientProvider client={queryClient}>
          <ToastProvider>
            <WithConfig>
              <RouterProvider router={router} />
            </WithConfig>
          </ToastProvider>
        </QueryClientProvider>
      </Catch>
    </ConfigProvider>
  );
}

function WithConfig({ children }: { children: ReactNode }) {
  const { data, error, isFetching, refetch } = useQuery(configQuery);
  if (data) return <ConfigContext.Provider value={data}>{children}</ConfigContext.Provider>;
  if (error && !isFetching) return <ErrorScreen error={error} onRetry={() => void refetch()} />;
  return <Splash />;
}
