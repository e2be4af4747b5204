import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../../api/query.keys';

const askEveryMs = 5_000;
const confirmable = [queryKeys.user, queryKeys.signInMethods];
const shown = [...confirmable, queryKeys.accountChanges, queryKeys.activeSessions];

/** What is being read already is not asked again: an answer slower than these would never arrive. */
function readAgain(client: QueryClient, keys: readonly (readonly string[])[]): void {
  for (const queryKey of keys)
    void client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
}

/** Reads what Settings shows again when somebody comes back to the page from another tab or window. */
export function useReadAgainWhenShown(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onShown = () => {
      if (document.visibilityState === 'visible') readAgain(client, shown);
    };
    document.addEventListener('visibilitychange', onShown);
    window.addEventListener('focus', onShown);
    return () => {
      document.removeEventListener('visibilitychange', onShown);
      window.removeEventListener('focus', onShown);
    };
  }, [client]);
}

/**
 * While an email waits to be confirmed, asks every five seconds that the page is visible: the link may be opened in a
 * window beside this one, or on a phone.
 */
export function useReadUntilConfirmed(isWaiting: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && navigator.onLine) readAgain(client, confirmable);
    }, askEveryMs);
    return () => clearInterval(timer);
  }, [client, isWaiting]);
}
