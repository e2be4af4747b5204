import type { ProjectUsersMetrics } from '@orange-id/contract/project.users.schema';
import type { GlobalToken } from 'antd';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCount } from '../../ui/number.text';
import { dayName } from './users.text';

export type UserSeries = ProjectUsersMetrics['series'];

interface UsersPlotParts {
  /** The element that receives the canvas. */
  frame: HTMLElement;
  /** The element that describes the bar under the pointer. */
  tip: HTMLElement;
  token: GlobalToken;
  read: () => { series: UserSeries; bucketDays: number };
}

const height = 220;
const dayMs = 86_400_000;

/** What a bar stands for: `21 Nov · 3 new, 5 returning · 97 in total`. */
export function barText(
  { day, new: fresh, returning, total }: UserSeries[number],
  bucketDays: number,
): string {
  const last = Date.parse(day) + (bucketDays - 1) * dayMs;
  const days = bucketDays === 1 ? dayName(day) : `${dayName(day)} – ${dayName(last)}`;
  return `${days} · ${formatCount(fresh)} new, ${formatCount(returning)} returning · ${formatCount(total)} in total`;
}

/** By the number of the bar, so that every bar has the same width. New people are drawn over returning ones. */
const columnsOf = (series: UserSeries): uPlot.AlignedData => [
  series.map((_, place) => place),
  series.map((bar) => bar.new + bar.returning),
  series.map((bar) => bar.new),
  series.map(({ total }) => total),
];

/** Draws people over time on a canvas; call `draw` after every change of what `read` returns. */
export function createUsersPlot({ frame, tip, token, read }: UsersPlotParts) {
  const axis = {
    stroke: token.colorTextTertiary,
    font: `12px ${token.fontFamily}`,
    grid: { stroke: token.colorSplit, width: 1 },
    ticks: { show: false },
  };
  const paths = uPlot.paths as Required<typeof uPlot.paths>;
  const bars = paths.bars({ size: [0.8, 48], radius: 0.1 });
  const wholeSteps = [1, 2, 5].flatMap((n) => Array.from({ length: 10 }, (_, e) => n * 10 ** e));
  const counts = {
    ...axis,
    size: 44,
    incrs: wholeSteps.sort((a, b) => a - b),
    values: (_u: uPlot, splits: number[]) => splits.map(formatCount),
  };
  const upFromZero: uPlot.Scale = { range: (_u, _min, max) => [0, Math.max(4, max * 1.1)] };
  const bar = (label: string, fill: string): uPlot.Series => ({
    label,
    fill,
    width: 0,
    paths: bars,
    points: { show: false },
  });

  const tell = (u: uPlot) => {
    const { series, bucketDays } = read();
    const pointed = u.cursor.idx == null ? undefined : series[u.cursor.idx];
    tip.hidden = pointed === undefined || (u.cursor.left ?? -1) < 0;
    if (tip.hidden || !pointed) return;
    tip.textContent = barText(pointed, bucketDays);
    const left = u.valToPos(u.cursor.idx as number, 'x') + u.bbox.left / devicePixelRatio;
    const from = left - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(0, Math.min(from, frame.clientWidth - tip.offsetWidth))}px`;
  };
  const chart = new uPlot(
    {
      width: frame.clientWidth,
      height,
      padding: [12, 0, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: () => [-0.5, read().series.length - 0.5] },
        y: upFromZero,
        total: upFromZero,
      },
      axes: [
        {
          ...axis,
          size: 28,
          space: 64,
          grid: { show: false },
          incrs: [1, 2, 5, 7, 10, 14, 20, 30, 45],
          values: (_u, splits) => splits.map((place) => dayName(read().series[place]?.day ?? NaN)),
        },
        counts,
        { ...counts, scale: 'total', side: 1, grid: { show: false } },
      ],
      series: [
        {},
        bar('Returning', `color-mix(in srgb, ${token.colorTextTertiary} 60%, transparent)`),
        bar('New', token.colorPrimary),
        {
          label: 'Total',
          scale: 'total',
          stroke: token.colorTextSecondary,
          width: 1.5,
          dash: [4, 3],
          points: { show: false },
        },
      ],
      hooks: { setCursor: [tell] },
    },
    columnsOf(read().series),
    frame,
  );
  const resizing = new ResizeObserver(() => chart.setSize({ width: frame.clientWidth, height }));
  resizing.observe(frame);
  return {
    draw: () => chart.setData(columnsOf(read().series)),
    destroy() {
      resizing.disconnect();
      chart.destroy();
    },
  };
}
