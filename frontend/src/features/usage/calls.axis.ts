import { clockText } from './calls.buckets';
import { formatShortMoment } from './usage.format';

const day = 86_400;
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayText = (at: number) => days.format(at * 1000);

/** The range of the time axis in seconds since the epoch, and whether it ends now. */
export interface AxisRange {
  from: number;
  to: number;
  endsNow: boolean;
}

const isMidnight = (at: number) => {
  const date = new Date(at * 1000);
  return date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
};

/** The labels of the axis' two ends: `16 Nov` and `Now`, `22 Nov, 10:45` if the time matters, `10:45` within a day. */
export function endLabels({ from, to, endsNow }: AxisRange): [start: string, end: string] {
  const isLong = to - from >= 2 * day;
  // A range of a year ends on the same date, so equal dates are not enough.
  const isOneDay = to - from <= day && dayText(from) === dayText(to);
  const text = (at: number) => {
    if (isOneDay) return clockText(at);
    return isLong && (endsNow || isMidnight(at)) ? dayText(at) : formatShortMoment(at * 1000);
  };
  return [text(from), endsNow ? 'Now' : text(to)];
}

/** The maximum width of a character in a label, and the space between two labels, in px. */
const characterWidth = 7;
const gap = 16;
const widthOf = (label: string) => label.length * characterWidth;

/**
 * The labels of the marks between the ends, empty where one would touch an end's label: dates at midnight, times
 * otherwise. `width` is the axis' width in px, `increment` the distance between marks in seconds.
 */
export function markLabels(marks: number[], increment: number, range: AxisRange, width: number): string[] {
  const { from, to } = range;
  const [start, end] = endLabels(range);
  return marks.map((at) => {
    const label = increment >= day || isMidnight(at) ? dayText(at) : clockText(at);
    const place = ((at - from) / (to - from)) * width;
    const reach = widthOf(label) / 2 + gap;
    const isFree = place - reach >= widthOf(start) && place + reach <= width - widthOf(end);
    return isFree ? label : '';
  });
}
