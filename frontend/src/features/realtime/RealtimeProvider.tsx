import type { ForumChange } from '@orange-id/contract/forum.schema';
import type { ProjectChange } from '@orange-id/contract/socket.events';
import { readTokenClaims } from '@orange-id/contract/token.rule';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { fromCallback, fromPromise, type StateValueFrom } from 'xstate';
import { useAuth } from '../../api/session/auth.context';
import { LiveContext, type Live, type LiveStatus } from '../../api/usage/live.context';
import { queryKeys } from '../../api/cache/query.keys';
import { inspected } from '../../inspect/machine.inspect';
import { createFrameBatch } from './frame.batch';
import type { openSocket } from './realtime.actors';
import { realtimeMachine } from './realtime.machine';

/** Loads the socket's code with the first connection, so that visitors without one don't download it. */
const openSocketLater: typeof openSocket = (start) => {
  let close: ReturnType<typeof openSocket>;
  let isOver = false;
  import('./realtime.actors').then(
    (actors) => {
      if (!isOver) close = actors.openSocket(start);
    },
    () => start.sendBack({ type: 'socket.failed' }),
  );
  return () => {
    isOver = true;
    if (typeof close === 'function') close();
  };
};

const provided = realtimeMachine.provide({
  actors: {
    socket: fromCallback(openSocketLater),
    readMissed: fromPromise(async ({ input, signal }) => {
      const { readMissed } = await import('./realtime.actors');
      return readMissed(input, signal);
    }),
  },
});

const topOf = (value: StateValueFrom<typeof realtimeMachine>): LiveStatus =>
  typeof value === 'string' ? value : (Object.keys(value)[0] as LiveStatus);

/** Listeners of one kind of event; each page subscribes while it is shown. */
function createNews<T>(onAudience: (isListening: boolean) => void = () => undefined) {
  const listeners = new Set<(news: T) => void>();
  return {
    tell: (news: T) => listeners.forEach((listener) => listener(news)),
    on: (listener: (news: T) => void) => {
      listeners.add(listener);
      if (listeners.size === 1) onAudience(true);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) onAudience(false);
      };
    },
  };
}

/** Refetches every list of keys. */
function readKeys(queryClient: QueryClient): void {
  for (const queryKey of [queryKeys.savedKeys, queryKeys.projectKeys, queryKeys.usageKeys])
    void queryClient.invalidateQueries({ queryKey });
}

/** Keeps one live connection while a user is signed in, and passes its events on. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const { isAuthenticated, accessToken } = useAuth();
  const queryClient = useQueryClient();
  const actor = useActorRef(provided, {
    ...inspected,
    id: 'realtime',
    input: { isOnline: globalThis.navigator?.onLine ?? true },
  });
  const [news] = useState(() => ({
    rows: createNews<UsageRow[]>(),
    resync: createNews<void>(),
    projects: createNews<{ projectId: string; kind: ProjectChange }>(),
    forum: createNews<ForumChange>((isWatching) => actor.send({ type: 'forum.watch', isWatching })),
  }));

  useEffect(() => {
    // The token contains its user's id even while the identity service doesn't respond.
    const userId = isAuthenticated ? readTokenClaims(accessToken)?.sub : undefined;
    const session = accessToken !== null && userId !== undefined ? { token: accessToken, userId } : null;
    actor.send({ type: 'session.changed', session });
  }, [actor, accessToken, isAuthenticated]);

  useEffect(() => {
    const reportNetwork = () =>
      actor.send({ type: 'network.changed', isOnline: globalThis.navigator?.onLine ?? true });
    const reportShown = () => {
      if (document.visibilityState === 'visible') actor.send({ type: 'page.shown' });
    };
    window.addEventListener('online', reportNetwork);
    window.addEventListener('offline', reportNetwork);
    document.addEventListener('visibilitychange', reportShown);
    return () => {
      window.removeEventListener('online', reportNetwork);
      window.removeEventListener('offline', reportNetwork);
      document.removeEventListener('visibilitychange', reportShown);
    };
  }, [actor]);

  useEffect(() => {
    const batch = createFrameBatch<UsageRow>(news.rows.tell);
    const subscriptions = [
      actor.on('rows.ready', ({ rows }) => batch.add(rows)),
      actor.on('rows.resynced', () => {
        batch.flush();
        news.resync.tell();
      }),
      actor.on('keys.changed', () => readKeys(queryClient)),
      actor.on('project.changed', ({ projectId, kind }) => {
        news.projects.tell({ projectId, kind });
        // None of them changes the project itself.
        if (kind === 'signedIn' || kind === 'consented' || kind === 'refused') return;
        for (const queryKey of [queryKeys.projects, queryKeys.projectKeys, queryKeys.usageKeys])
          void queryClient.invalidateQueries({ queryKey });
      }),
      actor.on('forum.changed', ({ change }) => news.forum.tell(change)),
      // The session decides: it requests the user from the identity service, whose 401 signs the user out.
      actor.on('session.ended', () => void queryClient.invalidateQueries({ queryKey: queryKeys.user })),
    ];
    return () => {
      subscriptions.forEach((subscription) => subscription.unsubscribe());
      batch.cancel();
    };
  }, [actor, news, queryClient]);

  const status = useSelector(actor, (snapshot) => topOf(snapshot.value));
  const isOnline = useSelector(actor, (snapshot) => snapshot.context.isOnline);
  // In whole seconds, so that a row doesn't re-render every page that only shows the state.
  const lastUpdateAt = useSelector(
    actor,
    ({ context: { heardAt } }) => heardAt && heardAt - (heardAt % 1000),
  );

  useEffect(() => {
    // Changes made during a disconnection were not announced.
    if (status !== 'live') return;
    void queryClient.invalidateQueries({ queryKey: queryKeys.projects });
    readKeys(queryClient);
  }, [status, queryClient]);

  const live = useMemo<Live>(
    () => ({
      status,
      isOnline,
      lastUpdateAt,
      onRows: news.rows.on,
      onResync: news.resync.on,
      onProject: news.projects.on,
      onForum: news.forum.on,
    }),
    [status, isOnline, lastUpdateAt, news],
  );
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}
