import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

type QueryKeys = readonly (readonly string[])[];

/**
 * Refetches these queries. A query that is already loading is not restarted; otherwise a slow response would never
 * arrive.
 */
export function readAgain(client: QueryClient, keys: QueryKeys): void {
  for (const queryKey of keys)
    void client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
}

/**
 * Refetches these queries when the user returns to the page from another tab or window. `keys` must stay the same
 * array.
 */
export function useReadAgainWhenShown(keys: QueryKeys): void {
  const client = useQueryClient();
  useEffect(() => {
    const onShown = () => {
      if (document.visibilityState === 'visible') readAgain(client, keys);
    };
    document.addEventListener('visibilitychange', onShown);
    window.addEventListener('focus', onShown);
    return () => {
      document.removeEventListener('visibilitychange', onShown);
      window.removeEventListener('focus', onShown);
    };
  }, [client, keys]);
}
