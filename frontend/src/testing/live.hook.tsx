import type { UsageRow } from '@orange-id/contract/usage.schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { LiveContext } from '../api/usage/live.context';

const none = () => () => undefined;

/** A live connection that never sends anything. */
export const quietLive = { lastUpdateAt: null, onRows: none, onResync: none, onProject: none, onForum: none };

/** Runs a hook with a live connection whose rows the test pushes. */
export function renderLiveHook<Result, Props>(hook: (props: Props) => Result, initialProps: NoInfer<Props>) {
  const listeners = new Set<(rows: UsageRow[]) => void>();
  const live = {
    ...quietLive,
    status: 'live' as const,
    isOnline: true,
    onRows: (listener: (rows: UsageRow[]) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const rendered = renderHook(hook, {
    initialProps,
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <LiveContext.Provider value={live}>{children}</LiveContext.Provider>
      </QueryClientProvider>
    ),
  });
  return {
    ...rendered,
    client,
    push: (...rows: UsageRow[]) => act(() => listeners.forEach((listener) => listener(rows))),
  };
}
