import { useNow } from './clock.store';
import { absoluteTime, formatAgo } from './time.text';
import { Tooltip } from './Tooltip';

/** A relative time, updated every second, with the exact time and zone in a tooltip. */
export function Ago({ iso }: { iso: string }) {
  const now = useNow();
  return (
    <Tooltip text={absoluteTime(iso)}>
      <time dateTime={iso}>{formatAgo(iso, now)}</time>
    </Tooltip>
  );
}
