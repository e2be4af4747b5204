import { useNow } from './clock.store';
import { absoluteTime, formatAgo } from './time.text';
import { Tooltip } from './Tooltip';

/** How long ago something was, second by second, the exact time with its zone in a tooltip. */
export function Ago({ iso }: { iso: string }) {
  const now = useNow();
  return (
    <Tooltip text={absoluteTime(iso)}>
      <time dateTime={iso}>{formatAgo(iso, now)}</time>
    </Tooltip>
  );
}
