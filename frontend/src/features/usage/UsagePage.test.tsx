import { expect, jest, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { answerLive } from '../../testing/live.connection';
import { json, network } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

// jsdom has no canvas to draw on.
jest.mock('./calls.plot', () => ({ createCallsPlot: () => ({ draw() {}, unmark() {}, destroy() {} }) }));

/** The calls of a day, all in one quarter of an hour, and how many of its `quota` they use. */
const metricsOf = (calls: number, quota: number): UsageMetrics => ({
  ...{ from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', bucketSeconds: 900 },
  totals: { calls, errors: 0, blocked: 0, p50: null, p95: null, p99: null },
  percentiles: 'exact',
  series: [{ at: '2026-01-01T12:00:00.000Z', calls, errors: 0, serverErrors: 0, blocked: 0 }],
  ...{ endpoints: [], statuses: [], keys: [], origins: [] },
  today: { calls, quota },
});

/** Notes what a screen reader would announce: changes in live regions, and of the value that has the focus. */
function listen() {
  const said: string[] = [];
  const observer = new MutationObserver((changes) => {
    const regions = changes.map(({ target, type }) => {
      const element = target instanceof Element ? target : target.parentElement;
      if (type === 'attributes') return element === document.activeElement ? element : null;
      return element?.closest('[role=status], [role=alert], [role=log], [aria-live]');
    });
    for (const region of new Set(regions)) {
      if (region) said.push(region.getAttribute('aria-valuetext') ?? region.textContent ?? '');
    }
  });
  observer.observe(document.body, {
    ...{ subtree: true, childList: true, characterData: true },
    attributeFilter: ['aria-valuetext'],
  });
  return { said, stop: () => observer.disconnect() };
}

test('a stream of calls is announced only when the quota nears its end and when it is used up', async () => {
  jest.useFakeTimers();
  const live = answerLive();
  let seq = 0;
  network.use(
    http.get('/api/analytics/metrics', () => json(metricsOf(70 + seq, 100))),
    http.get('/api/usage/keys', () => json([])),
  );
  const { user, machine } = openPortal('/usage');
  await machine('realtime').is('live');
  const chart = await screen.findByRole('slider', { name: 'Calls over time' });
  act(() => chart.focus());
  await user.keyboard('{End}');
  const { said, stop } = listen();
  while (seq < 36) {
    const timestamp = new Date().toISOString();
    const rows = Array.from({ length: 9 }, () => usageRowOf((seq += 1), { timestamp }));
    live.say('usage.rows', { rows, seq });
    await waitFor(() => expect(document.querySelectorAll('[data-seq]')).toHaveLength(seq));
    await act(() => jest.advanceTimersByTimeAsync(2_000));
  }
  stop();
  expect(screen.getByLabelText('Totals')).toHaveTextContent('Calls106');
  expect(said).toEqual(['Most of today’s quota is used.', 'Today’s quota is used up.']);
  await user.keyboard('{End}');
  expect(chart).toHaveAttribute('aria-valuetext', expect.stringContaining('106 calls'));
});
