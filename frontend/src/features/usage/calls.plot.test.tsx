import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { theme } from 'antd';
import { rendered } from '../../testing/turn.channel';
import type { Bucket } from './calls.buckets';
import { createCallsPlot, type PlotState } from './calls.plot';

/** Everything drawn since the last look: calls and properties of the canvas, with whole numbers. */
let drawn: string[] = [];
const short = (value: unknown): string =>
  typeof value === 'number' ? String(Math.round(value)) : typeof value === 'object' ? 'path' : String(value);
const brush = (): object =>
  new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...given: unknown[]) => {
          drawn.push(`${String(name)}(${given.map(short).join(', ')})`);
          return name === 'measureText' ? { width: 10 } : undefined;
        },
      set: (_, name, value) => drawn.push(`${String(name)} = ${short(value)}`) > 0,
    },
  );

const hour = 3600;
const start = Date.parse('2026-03-04T00:00:00.000Z') / 1000;
const bucketOf = (place: number, more: Partial<Bucket> = {}): Bucket => ({
  at: start + place * hour,
  calls: 0,
  errors: 0,
  serverErrors: 0,
  blocked: 0,
  before: null,
  ...more,
});
const buckets = [
  bucketOf(0, { calls: 40, before: 10 }),
  bucketOf(1, { calls: 30, errors: 20, serverErrors: 5, before: 20 }),
  bucketOf(2, { calls: 10, blocked: 5, before: 30 }),
  bucketOf(3),
];

let frame: HTMLElement;
let tip: HTMLElement;
let state: PlotState;
let plot: ReturnType<typeof createCallsPlot>;
const picked: (readonly Bucket[])[] = [];

beforeEach(async () => {
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => brush() as never);
  jest.spyOn(window, 'Path2D').mockImplementation(() => brush() as never);
  jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(460);
  jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(180);
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 180));
  [frame, tip] = [document.createElement('div'), document.createElement('div')];
  document.body.replaceChildren(frame, tip);
  state = { buckets, bucketSeconds: hour, endsNow: false, marked: null };
  drawn = [];
  picked.length = 0;
  const token = { ...theme.getDesignToken(), fontFamily: 'sans-serif' };
  plot = createCallsPlot({ frame, tip, token, read: () => state, onPick: (chosen) => picked.push(chosen) });
  await rendered();
});
afterEach(() => plot.destroy());

test('bars, the line of the previous period, counts and times are drawn as in the snapshot', async () => {
  drawn = [];
  plot.draw();
  await rendered();
  expect(drawn.join('\n')).toMatchSnapshot();
});

test('marked buckets are selected and described, until the focus leaves', async () => {
  state = { ...state, marked: buckets.slice(1, 3) };
  plot.draw();
  await rendered();
  expect(tip.hidden).toBe(false);
  expect(tip.textContent).toMatchInlineSnapshot(
    `"4 Mar, 01:00 – 03:00 · 40 calls, 20 errors, 5 blocked · 50 before"`,
  );
  expect(tip.style.left).toMatchInlineSnapshot(`"152px"`);
  expect(frame.querySelector<HTMLElement>('.u-select')?.style.cssText).toMatchInlineSnapshot(
    `"left: 100px; top: 0px; width: 200px; height: 180px;"`,
  );
  state = { ...state, marked: null };
  plot.draw();
  await rendered();
  expect(tip.hidden).toBe(true);
  expect(frame.querySelector<HTMLElement>('.u-select')?.style.cssText).toMatchInlineSnapshot(
    `"left: 0px; top: 0px; width: 0px; height: 0px;"`,
  );
});

test('the pointer describes the bucket under it, a click picks it, and a drag picks several', async () => {
  const over = frame.querySelector('.u-over') as HTMLElement;
  const move = (type: string, clientX: number, target: EventTarget = over) => {
    const event = new MouseEvent(type, { bubbles: true, clientX, clientY: 50, button: 0 });
    // The plot begins at the window's left edge.
    Object.defineProperty(event, 'offsetX', { value: clientX });
    target.dispatchEvent(event);
  };
  move('mouseenter', 150);
  move('mousemove', 150);
  await rendered();
  expect(tip.textContent).toMatchInlineSnapshot(`"4 Mar, 01:00 – 02:00 · 30 calls, 20 errors · 20 before"`);
  move('mousedown', 150);
  move('mouseup', 150, document);
  move('click', 150);
  expect(picked).toEqual([[buckets[1]]]);
  move('mousedown', 150);
  move('mousemove', 250);
  move('mouseup', 250, document);
  await rendered();
  expect(picked.slice(1)).toEqual([buckets.slice(1, 3)]);
  expect(frame.querySelector<HTMLElement>('.u-select')?.style.width).toBe('0px');
});
