import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useActorRef, useSelector } from '@xstate/react';
import { Flex } from 'antd';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { fromCallback, fromPromise } from 'xstate';
import { getUsage } from '../../api/usage/get.usage';
import { useLive, type Live } from '../../api/usage/live.context';
import { inspected, stateName } from '../../inspect/machine.inspect';
import { Ago } from '../../ui/Ago';
import { endpointText, originSentence } from '../../ui/call.text';
import { StatusTag } from '../../ui/StatusTag';
import { formatDuration } from '../../ui/time.text';
import { firstCallMachine, type FirstCallEvent } from './first.call.machine';
import styles from './wizard.module.css';

interface Watched {
  projectId: string;
}

const provide = (live: Live) =>
  firstCallMachine.provide({
    actors: {
      listenForRows: fromCallback<FirstCallEvent, Watched>(({ input, sendBack }) =>
        live.onRows((rows) => {
          const row = rows.find(({ projectId }) => projectId === input.projectId);
          if (row) sendBack({ type: 'row.arrive', row });
        }),
      ),
      readLatestCall: fromPromise<UsageRow | null, Watched>(async ({ input, signal }) => {
        const page = await getUsage({ projectId: input.projectId, limit: 1 }, { signal });
        return page.rows[0] ?? null;
      }),
    },
  });

/** Panel that waits for the project's first API call and shows it as soon as it is recorded. */
export function FirstCall({ projectId }: Watched) {
  const live = useLive();
  const isLive = live.status === 'live';
  const [machine] = useState(() => provide(live));
  const actor = useActorRef(machine, { ...inspected, id: 'firstCall', input: { projectId, isLive } });
  const { value, context } = useSelector(actor, (snapshot) => snapshot);

  useEffect(() => {
    if (actor.getSnapshot().context.isLive !== isLive) actor.send({ type: 'live.change', isLive });
  }, [actor, isLive]);
  const { onResync } = live;
  useEffect(() => onResync(() => actor.send({ type: 'usage.recheck' })), [actor, onResync]);

  const { row } = context;
  const isOk = row !== null && row.statusCode < 400;
  return (
    <div
      className={styles.firstCall}
      data-call={row === null ? 'awaited' : isOk ? 'ok' : 'refused'}
      data-machine="firstCall"
      data-state={stateName(value)}
    >
      <span className={styles.firstCallDot} aria-hidden />
      <Flex wrap gap="4px 12px" className={styles.firstCallContent}>
        <div className="rows-words">
          <strong role="status">
            {row ? 'Your project has received a call' : 'Waiting for your first call...'}
          </strong>
          {row ? <Call row={row} /> : <span className="note">{waitingNote(live)}</span>}
        </div>
        {row && (
          <Link className="action-link" to={`/usage?${new URLSearchParams({ projectId })}`}>
            Open Usage
          </Link>
        )}
      </Flex>
    </div>
  );
}

/** Says how the panel currently checks for the call. */
function waitingNote({ isOnline, status }: Live): string {
  if (!isOnline) return 'You’re offline. This updates once you’re back online.';
  if (status === 'live') return 'Updates automatically when we see your first call.';
  return 'Connecting to live updates. Checking every 5 seconds until connected.';
}

function Call({ row }: { row: UsageRow }) {
  return (
    <>
      <Flex wrap gap="4px 10px" align="center" className="tabular">
        <code>
          {row.method} {endpointText(row)}
        </code>
        <StatusTag row={row} />
        <span>{formatDuration(row.responseTime)}</span>
        <Ago iso={row.timestamp} />
      </Flex>
      {row.outcome === 'blocked' && <span className="note">Blocked: {originSentence(row)}.</span>}
    </>
  );
}
