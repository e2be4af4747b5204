import type { PublicConfig } from '@orange-id/contract/config.schema';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState, type ReactNode } from 'react';
import { ConfigContext } from '../api/config.context';
import { configQuery } from '../api/get.config';
import { createQueryClient } from '../api/query.client';
import { Catch } from '../ui/Catch';
import { ToastProvider } from '../ui/toast';
import { ErrorScreen } from './ErrorScreen';
import { Splash } from './Splash';
import { useColorMode } from './useColorMode';

/** The whole portal; `children` is its router. A configuration that came with the page is not asked for. */
export function App({ config, children }: { config: PublicConfig | undefined; children: ReactNode }) {
  const mode = useColorMode();
  const [queryClient] = useState(() => {
    const client = createQueryClient();
    if (config) client.setQueryData(configQuery.queryKey, config);
    return client;
  });

  useLayoutEffect(() => {
    document.documentElement.dataset.theme = mode;
  }, [mode]);

  return (
    <Catch fallback={(error, retry) => <ErrorScreen error={error} onRetry={retry} />}>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>
          <WithConfig>{children}</WithConfig>
        </ToastProvider>
      </QueryClientProvider>
    </Catch>
  );
}

function WithConfig({ children }: { children: ReactNode }) {
  const { data, error, isFetching, refetch } = useQuery(configQuery);
  if (data) return <ConfigContext.Provider value={data}>{children}</ConfigContext.Provider>;
  if (error && !isFetching) return <ErrorScreen error={error} onRetry={() => void refetch()} />;
  return <Splash />;
}
