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
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCount, formatShortMoment } from './usage.format';
import type { FixedRange } from './usage.view';

export interface Bucket {
  /** Where the bucket begins, in seconds since the epoch. */
  at: number;
  calls: number;
  errors: number;
  /** The calls of the same bucket of the period before; `null` where nobody compares. */
  before: number | null;
}

interface CallsPlotProps {
  buckets: readonly Bucket[];
  bucketSeconds: number;
  onPick: (range: FixedRange) => void;
}

/** The buckets the keyboard is on: the one it moves, and the one it started from with Shift; seconds. */
interface Marked {
  at: number;
  anchor: number;
}

const height = 220;
/** A drag shorter than this is a click, in px. */
const shortestDrag = 8;
const pageBuckets = 10;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const preciseClock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

const clockText = (at: number): string => (at % 60 === 0 ? clock : preciseClock).format(at * 1000);

function axisLabels(splits: number[], increment: number): string[] {
  return splits.map((at) => {
    const date = new Date(at * 1000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
    return increment >= 86_400 || isMidnight ? days.format(date) : clockText(at);
  });
}

/** Whole buckets from edge to edge; uPlot asks before the first data too. */
function rangeOf({ buckets, bucketSeconds }: CallsPlotProps): [number, number] {
  const [first, last] = [buckets[0]?.at ?? 0, buckets.at(-1)?.at ?? 0];
  return [first, last + bucketSeconds];
}

const columns = (buckets: readonly Bucket[]): uPlot.AlignedData => [
  buckets.map(({ at }) => at),
  buckets.map(({ calls }) => calls),
  buckets.map(({ errors }) => errors),
  buckets.map(({ before }) => before),
];

const iso = (at: number): string => new Date(at * 1000).toISOString();

/** What neighbouring buckets hold, in words. */
function textOf(buckets: readonly Bucket[], bucketSeconds: number): string {
  const sum = (read: (bucket: Bucket) => number) => buckets.reduce((all, bucket) => all + read(bucket), 0);
  const [first, last] = [buckets[0]?.at ?? 0, buckets.at(-1)?.at ?? 0];
  const before = buckets[0]?.before == null ? '' : ` · ${formatCount(sum((one) => one.before ?? 0))} before`;
  const count = (calls: number, one: string) => `${formatCount(calls)} ${calls === 1 ? one : `${one}s`}`;
  const counts = `${count(
    sum((one) => one.calls),
    'call',
  )}, ${count(
    sum((one) => one.errors),
    'error',
  )}`;
  const end =
    bucketSeconds < 86_400 ? clockText(last + bucketSeconds) : days.format((last + bucketSeconds) * 1000);
  return `${formatShortMoment(first * 1000)} – ${end} · ${counts}${before}`;
}

/** The chart itself; loaded lazily, because only this page draws one. */
export function CallsPlot(props: CallsPlotProps) {
  const { buckets, bucketSeconds, onPick } = props;
  const { token } = theme.useToken();
  const frame = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef(props);
  const [marked, setMarked] = useState<Marked | null>(null);
  const hintId = useId();
  const { fontFamily, colorTextTertiary, colorTextSecondary, colorSplit } = token;

  const pick = useEffectEvent((from: number, to: number) => {
    const begin = rangeOf(props)[0];
    const steps = [Math.floor((from - begin) / bucketSeconds), Math.ceil((to - begin) / bucketSeconds)];
    const [start = '', end = ''] = steps.map((step) => iso(begin + step * bucketSeconds));
    onPick({ from: start, to: end });
  });

  useLayoutEffect(() => {
    latest.current = props;
    plot.current?.setData(columns(buckets));
  });

  useEffect(() => {
    const element = frame.current as HTMLDivElement;
    const styles = getComputedStyle(element);
    const font = `12px ${fontFamily}`;
    const axis = {
      stroke: colorTextTertiary,
      font,
      grid: { stroke: colorSplit, width: 1 },
      ticks: { show: false },
    };
    const bars = (uPlot.paths.bars as NonNullable<typeof uPlot.paths.bars>)({
      size: [0.8, 48],
      align: 1,
      radius: 0.1,
    });
    const stepped = (uPlot.paths.stepped as NonNullable<typeof uPlot.paths.stepped>)({ align: 1 });

    const showTip = (u: uPlot) => {
      const box = tip.current as HTMLDivElement;
      const bucket = latest.current.buckets[u.cursor.idx ?? -1];
      box.hidden = !bucket || (u.cursor.left ?? -1) < 0;
      if (!bucket || box.hidden) return;
      box.textContent = textOf([bucket], latest.current.bucketSeconds);
      const left = u.valToPos(bucket.at, 'x') + u.bbox.left / devicePixelRatio;
      box.style.left = `${Math.max(0, Math.min(left, element.clientWidth - box.offsetWidth))}px`;
    };

    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        padding: [12, 24, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false, dist: shortestDrag },
          // A bar reaches from its bucket's beginning to the right, so the nearest beginning may be the next one's.
          dataIdx: (u, _series, nearest, at) =>
            (u.data[0][nearest] ?? 0) > at ? Math.max(0, nearest - 1) : nearest,
        },
        scales: {
          x: { range: () => rangeOf(latest.current) },
          y: { range: (_u, _min, max) => [0, Math.max(4, max * 1.1)] },
        },
        axes: [
          {
            ...axis,
            size: 28,
            grid: { show: false },
            values: (_u, splits, _axis, _space, increment) => axisLabels(splits, increment),
          },
          {
            ...axis,
            size: 52,
            incrs: [1, 2, 5]
              .flatMap((n) => Array.from({ length: 10 }, (_, e) => n * 10 ** e))
              .sort((a, b) => a - b),
            values: (_u, splits) => splits.map(formatCount),
          },
        ],
        series: [
          {},
          {
            label: 'Calls',
            fill: styles.getPropertyValue('--usage-neutral'),
            width: 0,
            paths: bars,
            points: { show: false },
          },
          {
            label: 'Errors',
            fill: styles.getPropertyValue('--usage-red'),
            width: 0,
            paths: bars,
            points: { show: false },
          },
          {
            label: 'Calls before',
            stroke: colorTextSecondary,
            alpha: 0.6,
            width: 1,
            dash: [3, 3],
            paths: stepped,
            points: { show: false },
          },
        ],
        hooks: {
          setCursor: [showTip],
          setSelect: [
            (u) => {
              if (u.select.width < shortestDrag) return;
              pick(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      columns(latest.current.buckets),
      element,
    );
    chart.over.addEventListener('click', (event) => {
      const at = chart.posToVal(event.offsetX, 'x');
      const bucket = latest.current.buckets.findLast((one) => one.at <= at);
      if (bucket) pick(bucket.at, bucket.at + latest.current.bucketSeconds);
    });
    plot.current = chart;
    const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      chart.destroy();
      plot.current = null;
    };
    // Only another theme draws another chart; data and range are set on this one.
  }, [fontFamily, colorTextTertiary, colorTextSecondary, colorSplit]);

  // Time moves the buckets on under the keyboard; those that left give way to the nearest.
  const last = buckets.length - 1;
  const placeOf = (at: number) =>
    Math.max(0, Math.min(last, Math.round((at - (buckets[0]?.at ?? 0)) / bucketSeconds)));
  const place = marked ? placeOf(marked.at) : last;
  const anchor = marked ? placeOf(marked.anchor) : last;
  const [low, high] = [Math.min(place, anchor), Math.max(place, anchor)];
  const chosen = buckets.slice(low, high + 1);

  useLayoutEffect(() => {
    const chart = plot.current;
    if (!chart || !marked) return;
    const left = (at: number) => chart.valToPos(at, 'x');
    const begin = buckets[0]?.at ?? 0;
    chart.setCursor({ left: left(begin + (place + 0.5) * bucketSeconds), top: 0 });
    const [from, to] = [left(begin + low * bucketSeconds), left(begin + (high + 1) * bucketSeconds)];
    chart.setSelect({ left: from, top: 0, width: to - from, height: chart.over.clientHeight }, false);
  });

  const unmark = () => {
    if (!marked) return;
    setMarked(null);
    plot.current?.setCursor({ left: -10, top: -10 });
    plot.current?.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  };
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
    if (step !== undefined) {
      const at = buckets[Math.max(0, Math.min(last, step))]?.at ?? 0;
      setMarked({ at, anchor: event.shiftKey ? (buckets[anchor]?.at ?? at) : at });
    } else if (event.key === 'Enter' || event.key === ' ') {
      const [first, final] = [chosen[0], chosen.at(-1)];
      if (first && final) pickNow(first.at, final.at + bucketSeconds);
    } else if (event.key === 'Escape') unmark();
    else return;
    event.preventDefault();
  };
  const pickNow = (from: number, to: number) => {
    unmark();
    onPick({ from: iso(from), to: iso(to) });
  };

  return (
    <div
      ref={frame}
      className="usage-plot-frame"
      role="slider"
      tabIndex={0}
      aria-label="Calls over time"
      aria-describedby={hintId}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, place)}
      aria-valuetext={textOf(chosen, bucketSeconds)}
      onFocus={({ target }) => {
        // A click brings the focus too, and has its own place.
        if (target.matches(':focus-visible') && !marked)
          setMarked({ at: buckets[last]?.at ?? 0, anchor: buckets[last]?.at ?? 0 });
      }}
      onBlur={unmark}
      onKeyDown={onKeyDown}
    >
      <div ref={tip} className="usage-plot-tip tabular" hidden />
      <span id={hintId} hidden>
        Arrow keys move, Shift with them chooses several, Enter shows their calls.
      </span>
    </div>
  );
}
