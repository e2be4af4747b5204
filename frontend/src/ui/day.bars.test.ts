import { expect, test } from '@jest/globals';
import { formatMinute } from './time.text';
import { barsOf, summaryOf } from './day.bars';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 12, minutes)).toISOString();
const clock = (minutes: number) => formatMinute(Date.parse(at(minutes)));
const series = [
  { at: at(0), calls: 0, errors: 0, serverErrors: 0, blocked: 0 },
  { at: at(15), calls: 1, errors: 1, serverErrors: 0, blocked: 0 },
  { at: at(30), calls: 4, errors: 2, serverErrors: 1, blocked: 1 },
];

test('a bar’s height is its share of the busiest one, its parts have the tags’ colours, and its text has time and counts', () => {
  expect(barsOf({ series, bucketSeconds: 900 })).toEqual([
    { at: at(0), height: 0, parts: [], text: `${clock(0)} – ${clock(15)} · 0 calls` },
    {
      at: at(15),
      height: 0.25,
      parts: [{ tone: 'amber', height: 0.25 }],
      text: `${clock(15)} – ${clock(30)} · 1 call, 1 error`,
    },
    {
      at: at(30),
      height: 1,
      parts: [
        { tone: 'blocked', height: 0.75 },
        { tone: 'amber', height: 0.5 },
        { tone: 'red', height: 0.25 },
      ],
      text: `${clock(30)} – ${clock(45)} · 4 calls, 2 errors, 1 blocked`,
    },
  ]);
});

test('the summary of the bars counts all calls and names the busiest time with its zone', () => {
  expect(summaryOf({ series })).toMatch(new RegExp(`^5 calls · peak ${clock(30)} \\S+$`));
  expect(summaryOf({ series: series.slice(0, 1) })).toBe('No calls in the last 24 hours');
  expect(summaryOf({ series: [] })).toBe('No calls in the last 24 hours');
});

test('the bars are flat if there are no calls', () => {
  expect(barsOf({ series: series.slice(0, 1), bucketSeconds: 900 })[0]?.height).toBe(0);
});
