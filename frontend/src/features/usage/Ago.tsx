import { absoluteTime } from '../../ui/time.text';
import { useNow } from './clock.store';
import { formatAgo } from './usage.format';

/** How long ago something was, second by second, the exact time on hover. */
export function Ago({ iso }: { iso: string }) {
  const now = useNow();
  return (
    <time dateTime={iso} title={absoluteTime(iso)}>
      {formatAgo(Date.parse(iso), now)}
    </time>
  );
}
