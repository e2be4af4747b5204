import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../../api/query.keys';
import { readAgain } from '../../api/useReadAgain';

const askEveryMs = 5_000;
/** What a confirmed email changes. */
export const confirmableKeys = [queryKeys.user, queryKeys.signInMethods];

/**
 * While an email waits to be confirmed, asks every five seconds that the page is visible: the link may be opened in a
 * window beside this one, or on a phone.
 */
export function useReadUntilConfirmed(isWaiting: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && navigator.onLine) readAgain(client, confirmableKeys);
    }, askEveryMs);
    return () => clearInterval(timer);
  }, [client, isWaiting]);
}
