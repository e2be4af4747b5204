import { useLive, type Live } from '../api/usage/live.context';
import { formatClock } from './time.text';
import styles from './live-state.module.css';

interface LiveStateProps {
  /** When the shown data was last fetched by request, in ms since the epoch. */
  readAt: number | null;
  /** The page has paused updates; `note` follows the status text. Shown only in place of `Live`. */
  paused?: { note: string } | null;
}

function statusText({ status, isOnline }: Live): string {
  if (!isOnline) return 'Offline';
  if (status === 'live') return 'Live';
  if (status === 'connecting') return 'Connecting';
  return status === 'reconnecting' ? 'Reconnecting' : 'Not connected';
}

/** How current the page is: a dot with the status, and the time of the last update if the connection is down. */
export function LiveState({ readAt, paused = null }: LiveStateProps) {
  const live = useLive();
  const word = statusText(live);
  const isPaused = word === 'Live' && paused !== null;
  const lastUpdateAt = Math.max(live.lastUpdateAt ?? 0, readAt ?? 0);
  // During the first connection attempt, the data has just been fetched.
  const isStale = word !== 'Live' && word !== 'Connecting' && lastUpdateAt > 0;
  return (
    <span
      className={`note ${styles.root}`}
      data-machine="realtime"
      data-state={live.status}
      data-status={isPaused ? 'paused' : word === 'Live' ? 'live' : 'away'}
    >
      <span className={styles.dot} aria-hidden />
      <span role="status">{isPaused ? 'Paused' : word}</span>
      {isPaused && <span className="tabular">{paused.note}</span>}
      {isStale && <span className="tabular">: last update {formatClock(lastUpdateAt)}</span>}
    </span>
  );
}
