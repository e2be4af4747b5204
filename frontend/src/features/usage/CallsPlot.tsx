import { theme } from 'antd';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCount, formatShortMoment } from './usage.format';
import type { FixedRange } from './usage.view';

export interface Bucket {
  /** Where the bucket begins, in seconds since the epoch. */
  at: number;
  calls: number;
  errors: number;
}

interface CallsPlotProps {
  buckets: readonly Bucket[];
  bucketSeconds: number;
  onZoom: (range: FixedRange) => void;
}

const height = 220;
/** A drag shorter than this is a slip of the hand, in px. */
const shortestDrag = 8;

const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

function axisLabels(splits: number[], increment: number): string[] {
  return splits.map((at) => {
    const date = new Date(at * 1000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    return increment >= 86_400 || isMidnight ? days.format(date) : hours.format(date);
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
];

/** The chart itself; loaded lazily, because only this page draws one. */
export function CallsPlot(props: CallsPlotProps) {
  const { token } = theme.useToken();
  const frame = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef(props);
  const { fontFamily, colorTextTertiary, colorSplit } = token;

  const zoom = useEffectEvent((from: number, to: number) => {
    const { bucketSeconds, onZoom } = props;
    const begin = rangeOf(props)[0];
    const steps = [Math.floor((from - begin) / bucketSeconds), Math.ceil((to - begin) / bucketSeconds)];
    const [start = '', end = ''] = steps.map((step) =>
      new Date((begin + step * bucketSeconds) * 1000).toISOString(),
    );
    onZoom({ from: start, to: end });
  });

  useLayoutEffect(() => {
    latest.current = props;
    plot.current?.setData(columns(props.buckets));
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

    const showTip = (u: uPlot) => {
      const box = tip.current as HTMLDivElement;
      const bucket = latest.current.buckets[u.cursor.idx ?? -1];
      box.hidden = !bucket || (u.cursor.left ?? -1) < 0;
      if (!bucket || box.hidden) return;
      const end = bucket.at + latest.current.bucketSeconds;
      box.textContent = `${formatShortMoment(bucket.at * 1000)} – ${hours.format(end * 1000)} · ${formatCount(bucket.calls)} calls, ${formatCount(bucket.errors)} errors`;
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
        ],
        hooks: {
          setCursor: [showTip],
          setSelect: [
            (u) => {
              if (u.select.width < shortestDrag) return;
              zoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      columns(latest.current.buckets),
      element,
    );
    plot.current = chart;
    const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      chart.destroy();
      plot.current = null;
    };
    // Only another theme draws another chart; data and range are set on this one.
  }, [fontFamily, colorTextTertiary, colorSplit]);

  return (
    <div ref={frame} className="usage-plot-frame">
      <div ref={tip} className="usage-plot-tip tabular" hidden />
    </div>
  );
}
