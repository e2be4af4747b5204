import { useEffect, useState } from 'react';
import { absoluteTime, relativeTime } from './time.text';

/** A moment as 'x minutes ago', the exact time with its zone on hover and for assistive technology. */
export function TimeText({ iso }: { iso: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const exact = absoluteTime(iso);
  return (
    <time dateTime={iso} title={exact} aria-label={exact}>
      {relativeTime(iso, now)}
    </time>
  );
}
