import type { GlobalToken } from 'antd';
import uPlot from 'uplot';
import { formatCount } from '../../ui/number.text';
import 'uplot/dist/uPlot.min.css';
import { endLabels, markLabels, type AxisRange } from './calls.axis';
import { barHeights, bucketAt, textOfBuckets, type Bucket } from './calls.buckets';

/** The data that the chart currently draws. */
export interface PlotState {
  buckets: readonly Bucket[];
  bucketSeconds: number;
  /** Whether the last bucket is the current one. */
  endsNow: boolean;
  /** The buckets marked by the keyboard; `null` if the focus is elsewhere. */
  marked: readonly Bucket[] | null;
}

interface PlotParts {
  /** The element that receives the canvas. */
  frame: HTMLElement;
  /** The element that describes the buckets under the pointer or keyboard. */
  tip: HTMLElement;
  /** The theme's colours and font. */
  token: GlobalToken;
  read: () => PlotState;
  /** Called when buckets were clicked or dragged over. */
  onPick: (buckets: readonly Bucket[]) => void;
}

const height = 220;
/** Space beside the plot, in px: for the labels of the counts, and on the right. */
const countsWidth = 52;
const endWidth = 8;
/** Space between the plot and the time labels, in px. */
const labelGap = 5;
const labelSize = 12;
/** A shorter drag counts as a click, in px. */
const shortestDrag = 8;
const nothingChosen = { left: 0, top: 0, width: 0, height: 0 };
/** Whole buckets from edge to edge; uPlot calls this before the first data too. */
function edgesOf({ buckets, bucketSeconds }: PlotState): [number, number] {
  return [buckets[0]?.at ?? 0, (buckets.at(-1)?.at ?? 0) + bucketSeconds];
}

/** From back to front. */
const barNames = ['neutral', 'blocked', 'amber', 'red'] as const;

const columnsOf = ({ buckets }: PlotState): uPlot.AlignedData => [
  buckets.map(({ at }) => at),
  ...barNames.map((name) => buckets.map((bucket) => barHeights(bucket)[name])),
  buckets.map(({ before }) => before),
];

const rangeOf = (state: PlotState): AxisRange => {
  const [from, to] = edgesOf(state);
  return { from, to, endsNow: state.endsNow };
};

const paths = uPlot.paths as Required<typeof uPlot.paths>;
const bars = paths.bars({ size: [0.8, 48], align: 1, radius: 0.1 });
/** Steps from bucket to bucket, so that each step is over its bar. */
const steps = paths.stepped({ align: 1 });

/** The stripes that tags of blocked calls have. */
function hatch(back: string, stripe: string): CanvasPattern | string {
  const size = 7 * devicePixelRatio;
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(size);
  const brush = tile.getContext('2d');
  if (!brush) return stripe;
  brush.fillStyle = back;
  brush.fillRect(0, 0, size, size);
  brush.strokeStyle = stripe;
  brush.lineWidth = size / 3;
  for (const shift of [-size, 0, size]) {
    brush.moveTo(shift - 1, size + 1);
    brush.lineTo(shift + size + 1, -1);
  }
  brush.stroke();
  return brush.createPattern(tile, 'repeat') ?? stripe;
}

/** Draws the calls over time on a canvas; call `draw` after every change of what `read` returns. */
export function createCallsPlot({ frame, tip, token, read, onPick }: PlotParts) {
  const axis = {
    stroke: token.colorTextTertiary,
    font: `${labelSize}px ${token.fontFamily}`,
    grid: { stroke: token.colorSplit, width: 1 },
    ticks: { show: false },
  };
  const fills = {
    neutral: `color-mix(in srgb, ${token.colorTextTertiary} 70%, transparent)`,
    blocked: hatch(token.colorBgContainer, token.colorTextSecondary),
    amber: token.colorWarning,
    red: token.colorError,
  };
  const barSeries = (name: (typeof barNames)[number]): uPlot.Series => ({
    label: name,
    fill: fills[name],
    width: 0,
    paths: bars,
    points: { show: false },
  });
  /** The buckets between two times, including partially covered ones. */
  const between = (from: number, to: number) => {
    const { buckets, bucketSeconds } = read();
    return buckets.filter(({ at }) => at + bucketSeconds > from && at < to);
  };

  const tell = (u: uPlot) => {
    const { buckets, bucketSeconds, marked } = read();
    const { left: pointer = -1 } = u.cursor;
    const pointed = pointer < 0 ? undefined : bucketAt(buckets, u.posToVal(pointer, 'x'));
    const described = marked ?? (pointed ? [pointed] : []);
    tip.hidden = described.length === 0;
    if (tip.hidden) return;
    tip.textContent = textOfBuckets(described, bucketSeconds);
    const left = u.valToPos(described[0]?.at ?? 0, 'x') + u.bbox.left / devicePixelRatio;
    tip.style.left = `${Math.max(0, Math.min(left, frame.clientWidth - tip.offsetWidth))}px`;
  };
  const pickDragged = (u: uPlot) => {
    const { left, width } = u.select;
    if (width < shortestDrag) return;
    onPick(between(u.posToVal(left, 'x'), u.posToVal(left + width, 'x')));
    u.setSelect(nothingChosen, false);
  };

  /** Draws the end labels in line with the mark labels but inside the plot; uPlot would centre them on its edges. */
  const nameEnds = ({ ctx, bbox }: uPlot) => {
    const [start, end] = endLabels(rangeOf(read()));
    const top = bbox.top + bbox.height + labelGap * devicePixelRatio;
    ctx.save();
    ctx.font = `${labelSize * devicePixelRatio}px ${token.fontFamily}`;
    ctx.fillStyle = token.colorTextTertiary;
    ctx.textBaseline = 'top';
    ctx.textAlign = 'left';
    ctx.fillText(start, bbox.left, top);
    ctx.textAlign = 'right';
    ctx.fillText(end, bbox.left + bbox.width, top);
    ctx.restore();
  };

  const chart = new uPlot(
    {
      width: frame.clientWidth,
      height,
      padding: [12, endWidth, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: shortestDrag },
      },
      scales: {
        x: { range: () => edgesOf(read()) },
        y: { range: (_u, _min, max) => [0, Math.max(4, max * 1.1)] },
      },
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          gap: labelGap,
          values: (u, splits, _axis, _space, increment) =>
            markLabels(splits, increment, rangeOf(read()), u.width - countsWidth - endWidth),
        },
        {
          ...axis,
          size: countsWidth,
          incrs: [1, 2, 5]
            .flatMap((n) => Array.from({ length: 10 }, (_, e) => n * 10 ** e))
            .sort((a, b) => a - b),
          values: (_u, splits) => splits.map(formatCount),
        },
      ],
      series: [
        {},
        ...barNames.map(barSeries),
        {
          label: 'Calls in the previous period',
          stroke: token.colorTextSecondary,
          alpha: 0.6,
          width: 1,
          dash: [3, 3],
          paths: steps,
          points: { show: false },
        },
      ],
      hooks: { setCursor: [tell], setSize: [tell], setSelect: [pickDragged], drawAxes: [nameEnds] },
    },
    columnsOf(read()),
    frame,
  );
  chart.over.addEventListener('click', ({ offsetX }) => {
    const bucket = bucketAt(read().buckets, chart.posToVal(offsetX, 'x'));
    if (bucket) onPick([bucket]);
  });
  const resizing = new ResizeObserver(() => chart.setSize({ width: frame.clientWidth, height }));
  resizing.observe(frame);

  let wasMarked = false;
  return {
    draw() {
      chart.setData(columnsOf(read()));
      const { marked, bucketSeconds } = read();
      if (!marked && wasMarked) {
        chart.setSelect(nothingChosen, false);
        chart.setCursor({ left: -10, top: -10 });
      }
      wasMarked = marked !== null;
      if (!marked) return;
      const [first, last] = [marked[0]?.at ?? 0, marked.at(-1)?.at ?? 0];
      const left = chart.valToPos(first, 'x');
      const width = chart.valToPos(last + bucketSeconds, 'x') - left;
      chart.setSelect({ left, top: 0, width, height: chart.over.clientHeight }, false);
      chart.setCursor({ left: left + width / 2, top: 0 });
    },
    destroy() {
      resizing.disconnect();
      chart.destroy();
    },
  };
}
