import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../../api/cache/query.keys';
import { readAgain } from '../../api/cache/useReadAgain';

const askEveryMs = 5_000;
/** The queries whose data changes when an email is confirmed. */
export const confirmableKeys = [queryKeys.user, queryKeys.signInMethods];

/**
 * Refetches every five seconds while an email is unconfirmed and the page is visible, because the user may open the
 * link in another window or on a phone.
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
