import { useLive, type Live } from '../api/live.context';
import { formatClock } from './time.text';
import './live-state.css';

interface LiveStateProps {
  /** When what is shown was last read apart from the live connection, in ms since the epoch. */
  readAt: number | null;
  /** What the page shows stands still for now; `note` follows the word. Said in place of `Live` alone. */
  paused?: { note: string } | null;
}

function wordOf({ status, isOnline }: Live): string {
  if (!isOnline) return 'Offline';
  if (status === 'live') return 'Live';
  if (status === 'connecting') return 'Connecting';
  return status === 'reconnecting' ? 'Reconnecting' : 'Not connected';
}

/** How current the page is: a dot with a word, and since when it is not. */
export function LiveState({ readAt, paused = null }: LiveStateProps) {
  const live = useLive();
  const word = wordOf(live);
  const isPaused = word === 'Live' && paused !== null;
  const lastUpdateAt = Math.max(live.lastUpdateAt ?? 0, readAt ?? 0);
  // While the first connection is on its way what is shown was read just now.
  const isStale = word !== 'Live' && word !== 'Connecting' && lastUpdateAt > 0;
  return (
    <span
      className="live-state"
      data-machine="realtime"
      data-state={live.status}
      data-status={isPaused ? 'paused' : word === 'Live' ? 'live' : 'away'}
    >
      <span className="live-state-dot" aria-hidden />
      <span role="status">{isPaused ? 'Paused' : word}</span>
      {isPaused && <span className="tabular">{paused.note}</span>}
      {isStale && <span className="tabular">: last update {formatClock(lastUpdateAt)}</span>}
    </span>
  );
}
