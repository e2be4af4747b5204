import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { getUsage } from '../../api/usage/get.usage';
import { useLive } from '../../api/usage/live.context';
import { inspected } from '../../inspect/machine.inspect';
import { TailStore } from './tail.store';
import { usageTailMachine } from './usage.tail.machine';
import { boundsOf, filtersOf, isRolling, rowsInView, type UsageView } from './usage.view';

const pollMs = 15_000;
const trimEveryMs = 30_000;

/** A row of rate-limited calls stands for several calls. */
const countCalls = (rows: UsageRow[]) => rows.reduce((sum, { calls = 1 }) => sum + calls, 0);

const storeOf = (view: UsageView) =>
  new TailStore((cursor) => getUsage({ ...filtersOf(view, Date.now()), ...cursor }));

/**
 * The calls of the view. The list follows live calls or is paused; it resumes when the view changes, or when
 * `call`, the open call, closes and was the only reason for the pause.
 */
export function useUsageTail(view: UsageView, isOpen: boolean, call: number | null) {
  const { status, isOnline, onRows, onResync } = useLive();
  const store = useMemo(() => storeOf(view), [view]);
  const actor = useActorRef(usageTailMachine, { ...inspected, id: 'usageTail' });
  const state = useSyncExternalStore(store.subscribe, store.getState);
  const tail = useSelector(actor, (snapshot) => snapshot);
  const isPaused = tail.can({ type: 'tail.resume' });

  useEffect(() => {
    actor.send({ type: 'view.change' });
    void store.refresh();
  }, [actor, store]);

  useEffect(() => {
    if (!isOpen) return;
    const stopRows = onRows((rows) => {
      const matching = rowsInView(rows, view, Date.now());
      if (matching.length === 0) return;
      store.push(matching);
      actor.send({ type: 'rows.arrive', count: countCalls(matching) });
    });
    const stopResync = onResync(() => {
      void store.resync();
      actor.send({ type: 'rows.skip' });
    });
    const trim = () => isRolling(view.range) && store.dropBefore(boundsOf(view, Date.now()).from);
    const trimming = setInterval(trim, trimEveryMs);
    return () => {
      stopRows();
      stopResync();
      clearInterval(trimming);
    };
  }, [view, isOpen, store, actor, onRows, onResync]);

  useEffect(() => {
    if (call === null) return;
    return () => {
      actor.send({ type: 'call.close' });
      if (!actor.getSnapshot().can({ type: 'tail.resume' })) store.resume();
    };
  }, [call, actor, store]);

  // After an offline failure, fetch again on return, because the live connection delivers only new calls.
  useEffect(() => {
    if (status === 'live') void store.recover();
  }, [status, store]);

  const isPolling = isOnline && ((isOpen && status !== 'live') || state.error !== null);
  useEffect(() => {
    if (!isPolling) return;
    const polling = setInterval(() => void store.refresh(), pollMs);
    return () => clearInterval(polling);
  }, [isPolling, store]);

  return {
    ...state,
    isPaused,
    /** Whether the list stays paused until the user resumes it; a pause for a call ends when the call closes. */
    isHeld: isPaused && !tail.can({ type: 'call.close' }),
    unseen: tail.context.unseen,
    isUnseenExact: tail.context.isUnseenExact,
    // The store pauses in the same event, so that no row slips in between.
    pause: () => {
      store.pause();
      actor.send({ type: 'tail.pause' });
    },
    resume: () => {
      actor.send({ type: 'tail.resume' });
      store.resume();
    },
    /** Pauses for a call that is about to open, and resumes when it closes. */
    pauseForCall: () => {
      store.pause();
      actor.send({ type: 'call.press' });
    },
    /** Fetches again after a failure; a paused list cannot, so it resumes. */
    retry: () => {
      actor.send({ type: 'tail.resume' });
      store.resume();
      void store.refresh();
    },
    loadOlder: () => void store.loadOlder(),
  };
}

export type UsageTailState = ReturnType<typeof useUsageTail>;
