import { useLive, type Live } from '../api/live.context';
import { formatClock } from './time.text';
import './live-state.css';

interface LiveStateProps {
  /** When what is shown was last read apart from the live connection, in ms since the epoch. */
  readAt: number | null;
}

function wordOf({ status, isOnline }: Live): string {
  if (!isOnline) return 'Offline';
  if (status === 'live') return 'Live';
  if (status === 'connecting') return 'Connecting';
  return status === 'reconnecting' ? 'Reconnecting' : 'Not connected';
}

/** How current the page is: a dot with a word, and since when it is not. */
export function LiveState({ readAt }: LiveStateProps) {
  const live = useLive();
  const word = wordOf(live);
  const lastUpdateAt = Math.max(live.lastUpdateAt ?? 0, readAt ?? 0);
  // While the first connection is on its way what is shown was read just now.
  const isStale = word !== 'Live' && word !== 'Connecting' && lastUpdateAt > 0;
  return (
    <span
      className="live-state"
      data-machine="realtime"
      data-state={live.status}
      data-status={word === 'Live' ? 'live' : 'away'}
    >
      <span className="live-state-dot" aria-hidden />
      <span role="status">{word}</span>
      {isStale && <span className="tabular">: last update {formatClock(lastUpdateAt)}</span>}
    </span>
  );
}
