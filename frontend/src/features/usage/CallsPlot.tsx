import { theme } from 'antd';
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { rangeOfBuckets, textOfBuckets, type Bucket } from './calls.buckets';
import { createCallsPlot, type PlotState } from './calls.plot';
import type { FixedRange } from './usage.view';
import styles from './usage.module.css';

interface CallsPlotProps {
  buckets: readonly Bucket[];
  bucketSeconds: number;
  endsNow: boolean;
  onPick: (range: FixedRange) => void;
}

/** The bucket at the keyboard cursor, and the one where a Shift selection began; both in seconds since the epoch. */
interface Marked {
  at: number;
  anchor: number;
}

const pageBuckets = 10;

/** The chart itself, for pointer and keyboard; loaded lazily, because only this page draws one. */
export function CallsPlot({ buckets, bucketSeconds, endsNow, onPick }: CallsPlotProps) {
  const { token } = theme.useToken();
  const frame = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const plot = useRef<ReturnType<typeof createCallsPlot>>(null);
  const [mark, setMark] = useState<Marked | null>(null);
  const hintId = useId();

  // As time passes, buckets leave the range; the mark then moves to the nearest one.
  const last = buckets.length - 1;
  const within = (place: number) => Math.max(0, Math.min(last, place));
  const placeOf = (at: number) => within(Math.round((at - (buckets[0]?.at ?? 0)) / bucketSeconds));
  const place = mark ? placeOf(mark.at) : last;
  const anchor = mark ? placeOf(mark.anchor) : last;
  const chosen = buckets.slice(Math.min(place, anchor), Math.max(place, anchor) + 1);

  // Screen readers announce every change of the focused value, so it follows the keyboard, not each new call.
  const text = textOfBuckets(chosen, bucketSeconds);
  const spot = chosen[0]?.at;
  const [spoken, setSpoken] = useState({ mark, spot, text });
  if (spoken.mark !== mark || spoken.spot !== spot) setSpoken({ mark, spot, text });

  const state = useRef<PlotState>({ buckets, bucketSeconds, endsNow, marked: null });
  useLayoutEffect(() => {
    state.current = { buckets, bucketSeconds, endsNow, marked: mark && chosen };
    plot.current?.draw();
  });

  const pick = useEffectEvent((some: readonly Bucket[]) => onPick(rangeOfBuckets(some, bucketSeconds)));
  useEffect(() => {
    const drawn = createCallsPlot({
      frame: frame.current as HTMLDivElement,
      tip: tip.current as HTMLDivElement,
      token,
      read: () => state.current,
      onPick: (some) => pick(some),
    });
    plot.current = drawn;
    return () => {
      drawn.destroy();
      plot.current = null;
    };
    // Only a theme change creates another chart; data and range are set on this one.
  }, [token]);

  const markAt = (to: number, from: number) =>
    setMark({ at: buckets[within(to)]?.at ?? 0, anchor: buckets[within(from)]?.at ?? 0 });
  const unmark = () => setMark(null);
  const steps: Record<string, number> = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    PageUp: place - pageBuckets,
    PageDown: place + pageBuckets,
    Home: 0,
    End: last,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step !== undefined) markAt(step, event.shiftKey ? anchor : step);
    else if (event.key === 'Enter' || event.key === ' ') {
      unmark();
      onPick(rangeOfBuckets(chosen, bucketSeconds));
    } else if (event.key === 'Escape') unmark();
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={frame}
      className={styles.plot}
      role="slider"
      tabIndex={0}
      aria-label="Calls over time"
      aria-describedby={hintId}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, place)}
      aria-valuetext={mark ? spoken.text : text}
      onFocus={({ target }) => {
        // A click focuses the chart too, but the pointer already marks a bar.
        if (!mark && target.matches(':focus-visible')) markAt(last, last);
      }}
      onBlur={unmark}
      onKeyDown={onKeyDown}
    >
      <div ref={tip} className={`${styles.plotTip} tabular`} hidden />
      <span id={hintId} hidden>
        Use the arrow keys to move, hold Shift to select several bars, and press Enter to zoom in.
      </span>
    </div>
  );
}
