import { useNow } from './clock.store';
import { absoluteTime, formatAgo } from './time.text';

/** How long ago something was, second by second, the exact time with its zone on hover. */
export function Ago({ iso }: { iso: string }) {
  const now = useNow();
  return (
    <time dateTime={iso} title={absoluteTime(iso)}>
      {formatAgo(iso, now)}
    </time>
  );
}
