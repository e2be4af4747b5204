import type { SavedKey } from '@orange-id/contract/keys.schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { readCurrent } from '../cache/read.current';
import { useLive } from '../usage/live.context';
import { pollMs } from '../usage/live.metrics';
import { createThrottle } from '../usage/refresh.throttle';
import { keysQuery, type KeyList } from './key.list';

const refreshEveryMs = 2_000;

/**
 * The keys of a list with their usage; refetched when live calls with one of them arrive, at most every 2 s, and polled
 * while the live connection is down. `day`: today in UTC; when it changes, the keys are refetched, because the count of
 * today's calls starts again.
 */
export function useLiveKeys(list: KeyList, day: string, { isEnabled = true } = {}) {
  const { status, isOnline, onRows, onResync } = useLive();
  const query = useQuery({
    ...keysQuery(list),
    enabled: isEnabled,
    refetchInterval: isOnline && status !== 'live' ? pollMs : false,
  });

  const { data, refetch } = query;
  const client = useQueryClient();
  const readKeys = useEffectEvent(() => readCurrent(client, list.queryKey));
  const isListed = useEffectEvent((keyId: string) => data?.some(({ id }: SavedKey) => id === keyId) === true);
  useEffect(() => {
    if (!isEnabled) return;
    const throttle = createThrottle(() => readKeys(), refreshEveryMs);
    const stopRows = onRows((rows) => {
      if (rows.some(({ keyId }) => isListed(keyId))) throttle.ask();
    });
    const stopResync = onResync(() => void refetch());
    return () => {
      stopRows();
      stopResync();
      throttle.stop();
    };
  }, [list.path, isEnabled, refetch, onRows, onResync]);

  const readDay = useRef(day);
  useEffect(() => {
    if (readDay.current === day) return;
    readDay.current = day;
    void refetch();
  }, [day, refetch]);
  return query;
}
