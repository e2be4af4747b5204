import { IconProvider } from '@ant-design/icons';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ConfigContext } from '../api/config.context';
import { configQuery } from '../api/get.config';
import { createQueryClient } from '../api/query.client';
import { Catch } from '../ui/Catch';
import { ToastProvider } from '../ui/toast';
import { readColorMode, showColorMode, subscribeColorMode } from './color.mode';
import { ErrorScreen } from './ErrorScreen';
import { Splash } from './Splash';

/** Icons' styles are in the theme's: put in while the page stands, they would have all of it styled anew. */
const icons = { zeroRuntime: true };

/** The whole portal; `children` is its router. A configuration that came with the page is not asked for. */
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
    <Catch fallback={(error, retry) => <ErrorScreen error={error} onRetry={retry} />}>
      <QueryClientProvider client={queryClient}>
        <IconProvider value={icons}>
          <ToastProvider>
            <WithConfig>{children}</WithConfig>
          </ToastProvider>
        </IconProvider>
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
