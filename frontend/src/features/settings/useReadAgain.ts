import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../../api/query.keys';

const askEveryMs = 5_000;
const confirmable = [queryKeys.user, queryKeys.signInMethods];
const shown = [...confirmable, queryKeys.accountChanges, queryKeys.activeSessions];

/** Reads what Settings shows again when somebody comes back to the page from another tab or window. */
export function useReadAgainWhenShown(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onShown = () => {
      if (document.visibilityState !== 'visible') return;
      for (const queryKey of shown) void client.invalidateQueries({ queryKey, exact: true });
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
      if (document.visibilityState !== 'visible' || !navigator.onLine) return;
      for (const queryKey of confirmable) void client.invalidateQueries({ queryKey, exact: true });
    }, askEveryMs);
    return () => clearInterval(timer);
  }, [client, isWaiting]);
}
