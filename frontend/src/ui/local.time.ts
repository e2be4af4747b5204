const minuteMs = 60_000;
const dayMs = 86_400_000;

const clock = (wallMs: number): string => new Date(wallMs).toISOString().slice(11, 16);

/**
 * Why a local time, such as `2025-03-30T02:30`, names no instant or two: the clocks go forward or back then. `null` if it
 * names one. `offsetAt` is the zone's offset from UTC in minutes at an instant, the browser's by default.
 */
export function clockChangeProblem(
  local: string,
  offsetAt: (at: number) => number = (at) => -new Date(at).getTimezoneOffset(),
): string | null {
  const wall = Date.parse(`${local.slice(0, 16).replace(' ', 'T')}Z`);
  if (Number.isNaN(wall)) return null;
  let [low, high] = [wall - dayMs, wall + dayMs];
  const [before, after] = [offsetAt(low), offsetAt(high)];
  if (before === after) return null;
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  const [from, to] = [high + before * minuteMs, high + after * minuteMs];
  if (wall < Math.min(from, to) || wall >= Math.max(from, to)) return null;
  return to > from
    ? `${clock(wall)} doesn’t exist that day, because the clocks go forward from ${clock(from)} to ${clock(to)}.`
    : `${clock(wall)} exists twice that day, because the clocks go back from ${clock(from)} to ${clock(to)}. Choose a time before ${clock(to)} or from ${clock(from)} on.`;
}
