import { IconProvider } from '@ant-design/icons';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ConfigContext } from '../api/config/config.context';
import { configQuery } from '../api/config/get.config';
import { createQueryClient } from '../api/cache/query.client';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { ToastProvider } from '../ui/toast';
import { readColorMode, showColorMode, subscribeColorMode } from './color.mode';
import { ErrorScreen } from './ErrorScreen';
import { Splash } from './Splash';

/**
 * The theme's styles already contain the icon styles. Inserted at run time, they would make the browser restyle the
 * whole page.
 */
const icons = { zeroRuntime: true };

/** The whole portal; `children` is its router. The configuration is fetched only if the page doesn't contain it. */
export function App({ config, children }: { config: PublicConfig | undefined; children: ReactNode }) {
  const [queryClient] = useState(() => {
    const client = createQueryClient();
    if (config) client.setQueryData(configQuery.queryKey, config);
    return client;
  });

  useEffect(() => {
    const follow = () => showColorMode(readColorMode());
    follow();
    return subscribeColorMode(follow);
  }, []);

  return (
    <ErrorBoundary fallback={(error, retry) => <ErrorScreen error={error} onRetry={retry} />}>
      <QueryClientProvider client={queryClient}>
        <IconProvider value={icons}>
          <ToastProvider>
            <WithConfig>{children}</WithConfig>
          </ToastProvider>
        </IconProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

function WithConfig({ children }: { children: ReactNode }) {
  const { data, error, isFetching, refetch } = useQuery(configQuery);
  if (data) return <ConfigContext.Provider value={data}>{children}</ConfigContext.Provider>;
  if (error && !isFetching) return <ErrorScreen error={error} onRetry={() => void refetch()} />;
  return <Splash />;
}
