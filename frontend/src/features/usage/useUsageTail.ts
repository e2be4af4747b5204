import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { getUsage } from '../../api/get.usage';
import { useLive } from '../../api/live.context';
import { inspected } from '../../inspect/machine.inspect';
import { TailStore } from './tail.store';
import { usageTailMachine } from './usage.tail.machine';
import { boundsOf, filtersOf, isRolling, rowsInView, type UsageView } from './usage.view';

const pollMs = 15_000;
const trimEveryMs = 30_000;

/** Rows of calls refused by rate stand for several. */
const countCalls = (rows: UsageRow[]) => rows.reduce((sum, { calls = 1 }) => sum + calls, 0);

const storeOf = (view: UsageView) =>
  new TailStore((cursor) => getUsage({ ...filtersOf(view, Date.now()), ...cursor }));

/** The calls of the view, following the live ones while it is open or standing still; another view follows again. */
export function useUsageTail(view: UsageView, isOpen: boolean) {
  const { status, isOnline, onRows, onResync } = useLive();
  const store = useMemo(() => storeOf(view), [view]);
  const actor = useActorRef(usageTailMachine, { ...inspected, id: 'usageTail' });
  const state = useSyncExternalStore(store.subscribe, store.getState);
  const tail = useSelector(actor, (snapshot) => snapshot);
  const isPaused = tail.matches('paused');

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
      void store.refresh();
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

  const isPolling = isOpen && isOnline && status !== 'live';
  useEffect(() => {
    if (!isPolling) return;
    const polling = setInterval(() => void store.refresh(), pollMs);
    return () => clearInterval(polling);
  }, [isPolling, store]);

  return {
    ...state,
    isPaused,
    unseen: tail.context.unseen,
    isUnseenExact: tail.context.isUnseenExact,
    // The store follows within the same event, so that no row slips in between.
    pause: () => {
      store.hold();
      actor.send({ type: 'tail.pause' });
    },
    resume: () => {
      actor.send({ type: 'tail.resume' });
      store.release();
    },
    refresh: () => void store.refresh(),
    loadOlder: () => void store.loadOlder(),
  };
}

export type UsageTailState = ReturnType<typeof useUsageTail>;
