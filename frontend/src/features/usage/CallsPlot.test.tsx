import { expect, jest, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Bucket } from './calls.buckets';
import { CallsPlot } from './CallsPlot';

const start = Date.parse('2026-03-04T00:00:00.000Z') / 1000;
const hour = 3600;
const buckets = [0, 1, 2, 3].map((place): Bucket => ({
  at: start + place * hour,
  calls: place,
  errors: 0,
  serverErrors: 0,
  blocked: 0,
  before: null,
}));
const iso = (place: number) => new Date((start + place * hour) * 1000).toISOString();

test('the keyboard marks bars, Space zooms in on them, and Escape gives the mark up', async () => {
  const user = userEvent.setup({ delay: null });
  const onPick = jest.fn();
  render(<CallsPlot buckets={buckets} bucketSeconds={hour} endsNow={false} onPick={onPick} />);
  const plot = screen.getByRole('slider', { name: 'Calls over time' });
  const marked = (place: number, text: RegExp) =>
    waitFor(() => {
      expect(plot).toHaveAttribute('aria-valuenow', String(place));
      expect(plot.getAttribute('aria-valuetext')).toMatch(text);
    });
  await user.tab();
  await user.keyboard('{Home}');
  await marked(0, /· 0 calls, 0 errors$/);
  await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
  await marked(1, /· 1 call, 0 errors$/);
  await user.keyboard(' ');
  expect(onPick.mock.calls).toEqual([[{ from: iso(0), to: iso(2) }]]);
  await marked(3, /· 3 calls, 0 errors$/);

  await user.keyboard('{Home}');
  await marked(0, /· 0 calls, 0 errors$/);
  await user.keyboard('{Escape}');
  await marked(3, /· 3 calls, 0 errors$/);
  expect(onPick).toHaveBeenCalledTimes(1);
});
