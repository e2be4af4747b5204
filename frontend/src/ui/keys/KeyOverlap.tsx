import { StopOutlined } from '@ant-design/icons';
import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { useSelector } from '@xstate/react';
import { Button, Flex } from 'antd';
import { useId, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { failureText } from '../../api/failure.text';
import { useLive } from '../../api/usage/live.context';
import { Ago } from '../Ago';
import { useNow } from '../clock.store';
import { DayBars } from '../DayBars';
import { Figure } from '../Figure';
import { QueryFailure } from '../LoadFailure';
import { maskBetween } from '../mask.key';
import { formatCount } from '../number.text';
import { SubmissionDialog } from '../SubmissionDialog';
import { absoluteTime, formatClock, formatLeft } from '../time.text';
import { Tooltip } from '../Tooltip';
import { goneWords } from './key.text';
import { RecentUse, useKeyMetrics } from './RecentUse';
import type { KeyDialogActors } from './useKeyDialogs';
import { WhichKey } from './WhichKey';
import liveCalls from '../live-calls.module.css';
import styles from './key-overlap.module.css';

interface KeyOverlapProps {
  /** The new key, and the one it replaced. */
  current: SavedKey;
  old: SavedKey;
  /** When the keys were last fetched, in ms since the epoch. */
  readAt: number;
  onEnd: () => void;
}

/** Two keys of which the old one still works, side by side with their live calls. */
export function KeyOverlap({ current, old, readAt, onEnd }: KeyOverlapProps) {
  const now = useNow();
  const titleId = useId();
  const left = old.expiresAt === null ? null : formatLeft(old.expiresAt, now);
  return (
    <section className={styles.root} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h3 id={titleId}>Both keys work</h3>
        <Button danger icon={<StopOutlined aria-hidden />} onClick={onEnd}>
          End old key now
        </Button>
      </div>
      <p className="note">
        {old.expiresAt !== null && left !== null ? (
          <>
            The old key stops in{' '}
            <Tooltip text={absoluteTime(old.expiresAt)}>
              <time dateTime={old.expiresAt}>{left}</time>
            </Tooltip>
            . Switch your clients to the new key. The old key’s calls show whether any still uses it.
          </>
        ) : (
          'The old key has stopped.'
        )}
      </p>
      <div className={styles.pair}>
        <KeyTraffic title="Old key" saved={old} readAt={readAt} />
        <KeyTraffic title="New key" saved={current} readAt={readAt} />
      </div>
    </section>
  );
}

function KeyTraffic({ title, saved, readAt }: { title: string; saved: SavedKey; readAt: number }) {
  const { status } = useLive();
  const query = useKeyMetrics(saved.id);
  const { data, isError, dataUpdatedAt } = query;
  const isFollowing = status === 'live' || status === 'connecting';
  const seenAt = data ? Math.min(readAt, dataUpdatedAt) : readAt;
  const isStale = !isFollowing || isError;
  const titleId = useId();
  return (
    <section className={styles.keyTraffic} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h4 id={titleId}>{title}</h4>
        <Link
          className="action-link"
          to={`/usage?${new URLSearchParams({ keyId: saved.id })}`}
          aria-label={`View calls made with the ${title.toLowerCase()}`}
        >
          View calls
        </Link>
      </div>
      <code>{maskBetween(apiKeyEnds(saved.key))}</code>
      <div className={liveCalls.live} data-stale={isStale}>
        <dl className={styles.keyFigures} aria-label={`Calls with the ${title.toLowerCase()}`}>
          <Figure label="Calls today" value={formatCount(saved.callsToday)} note="Since 00:00 UTC" />
          <Figure
            label="Last used"
            value={saved.lastUsed === null ? '–' : <Ago iso={saved.lastUsed} />}
            note={saved.lastUsed === null && 'Not used yet'}
          />
        </dl>
        {!isError || data ? <DayBars metrics={data} /> : null}
      </div>
      {isStale && <p className={`note ${liveCalls.stale} tabular`}>As of {formatClock(seenAt)}</p>}
      {isError && <QueryFailure title="Failed to load the calls of this key" query={query} />}
    </section>
  );
}

interface EndKeyDialogProps {
  actor: KeyDialogActors['end'];
  /** The listed keys, for the latest use of the key. */
  keys: SavedKey[] | undefined;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Confirms ending the old key of a rotation before its time. */
export function EndKeyDialog({ actor, keys, focusAfter }: EndKeyDialogProps) {
  const subject = useSelector(actor, ({ context }) => context.subject);
  return (
    <SubmissionDialog
      actor={actor}
      title="End old key now"
      act="End key"
      busyAct="Ending..."
      failureOf={(error) => `Failed to end API key: ${failureText(error)}`}
      goneWords={{ key: goneWords.key }}
      focusAfter={focusAfter}
    >
      <Flex vertical gap={12}>
        <span>
          The old key of <strong>{subject?.name}</strong> stops working within a second. The new key keeps
          working. You can’t undo this.
        </span>
        {subject && <WhichKey saved={subject} />}
        {subject && <RecentUse saved={keys?.find(({ id }) => id === subject.id) ?? subject} />}
      </Flex>
    </SubmissionDialog>
  );
}
