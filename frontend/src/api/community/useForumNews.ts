import type { ForumChange } from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { queryKeys } from '../cache/query.keys';
import { useAuth } from '../session/auth.context';
import { useLive } from '../usage/live.context';
import { getForumNews } from './forum.calls';

/**
 * Follows the community: a user by the live connection, a visitor by asking while the page is visible. `onMissed` is
 * called when changes may have gone unheard, so that the page reads everything again.
 */
export function useForumNews(onChange: (change: ForumChange) => void, onMissed: () => void): void {
  const { isAuthenticated, isLoading } = useAuth();
  const { onForum, status } = useLive();
  const tell = useEffectEvent(onChange);
  const readAgain = useEffectEvent(onMissed);
  useEffect(() => onForum(tell), [onForum]);
  useEffect(() => {
    // Changes from before the connection were not announced.
    if (status === 'live') readAgain();
  }, [status]);

  const page = useId();
  const cursor = useRef<string>(undefined);
  const { data } = useQuery({
    // Each page begins with a cursor of its own.
    queryKey: [...queryKeys.forum, 'news', page],
    queryFn: ({ signal }) => getForumNews(cursor.current, signal),
    enabled: !isAuthenticated && !isLoading,
    gcTime: 0,
    refetchInterval: limits.forumNewsEveryMs,
    refetchOnWindowFocus: 'always',
  });
  useEffect(() => {
    if (!data || data.cursor === cursor.current) return;
    cursor.current = data.cursor;
    if (data.hasMissed) readAgain();
    for (const change of data.changes) tell(change);
  }, [data]);
}
