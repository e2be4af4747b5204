import { useQueryClient } from '@tanstack/react-query';
import type { ProjectChange } from '@orange-id/contract/socket.events';
import { useEffect } from 'react';
import { readCurrent } from '../cache/read.current';
import { useLive } from '../usage/live.context';
import { createThrottle } from '../usage/refresh.throttle';

const refreshEveryMs = 1_000;

/**
 * Refetches a query when one of these happens in the project, at most every second, and after a gap in the live
 * connection.
 */
export function useProjectNews(
  code: string,
  kinds: readonly ProjectChange[],
  queryKey: readonly unknown[],
): void {
  const { status, onProject } = useLive();
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  const awaited = kinds.join(' ');
  useEffect(() => {
    const throttle = createThrottle(() => readCurrent(client, JSON.parse(key) as unknown[]), refreshEveryMs);
    const stop = onProject((change) => {
      if (change.projectId === code && awaited.split(' ').includes(change.kind)) throttle.ask();
    });
    if (status === 'live') throttle.ask();
    return () => {
      stop();
      throttle.stop();
    };
  }, [client, code, awaited, key, status, onProject]);
}
