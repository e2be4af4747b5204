import { expect, jest, test } from '@jest/globals';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { fireEvent, render, screen } from '@testing-library/react';
import { rendered } from '../testing/turn.channel';
import { DayBars } from './DayBars';

const metrics: UsageMetrics = {
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-01T01:00:00.000Z',
  bucketSeconds: 900,
  totals: { calls: 10, errors: 0, blocked: 0, p50: null, p95: null, p99: null },
  percentiles: 'exact',
  series: [1, 2, 3, 4].map((calls, place) => ({
    at: new Date(Date.UTC(2026, 0, 1, 0, place * 15)).toISOString(),
    calls,
    errors: 0,
    serverErrors: 0,
    blocked: 0,
  })),
  endpoints: [],
  statuses: [],
  keys: [],
  origins: [],
  today: { calls: 10, quota: null },
};

test('the bar under the mouse shows its counts until the mouse leaves, and a touch shows none', async () => {
  render(<DayBars metrics={metrics} />);
  const bars = screen.getByRole('img', { name: /^Last 24 hours: 10 calls/ });
  jest.spyOn(bars, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 400, 50));
  const point = (clientX: number, pointerType = 'mouse') =>
    fireEvent(
      bars,
      Object.assign(new MouseEvent('pointermove', { bubbles: true, clientX }), { pointerType }),
    );
  point(350, 'touch');
  point(250);
  expect(await screen.findByText('00:15 – 00:30 · 2 calls')).toBeInTheDocument();
  point(499, 'touch');
  await rendered();
  expect(screen.getByText('00:15 – 00:30 · 2 calls')).toBeInTheDocument();
  point(499);
  expect(await screen.findByText('00:45 – 01:00 · 4 calls')).toBeInTheDocument();
  fireEvent.pointerLeave(bars);
  expect(await screen.findByText(/^10 calls · peak/)).toBeInTheDocument();
});
