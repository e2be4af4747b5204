import { expect, jest, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { waitFor } from '@testing-library/react';
import { http } from 'msw';
import { json, live, network } from '../../testing/network';

/** Imported late, because socket.io takes the browser's WebSocket, which `network` replaces, when it loads. */
const actors = () => import('./realtime.actors');
const rows = (...seqs: number[]) => seqs.map((seq) => usageRowOf(seq));

/** Answers with these pages, by the position after which they start, and returns the requested positions. */
function servePages(pages: Record<string, { rows: number[]; next: number | null }>) {
  const asked: (string | null)[] = [];
  network.use(
    http.get('/api/usage', ({ request }) => {
      const after = new URL(request.url).searchParams.get('after');
      asked.push(after);
      const page = pages[String(after)];
      return json({ rows: rows(...(page?.rows ?? [])), next: page?.next ?? null });
    }),
  );
  return asked;
}
const read = async (after: number, to: number) =>
  (await actors()).readMissed({ token: 'token-1', after, to }, new AbortController().signal);

test('missing rows are fetched page by page, until they end or reach the wanted one', async () => {
  const pages = {
    10: { rows: [11, 12], next: 12 },
    12: { rows: [13, 15], next: 15 },
    15: { rows: [16], next: null },
  };
  const asked = servePages(pages);
  expect(await read(10, 15)).toEqual(rows(11, 12, 13, 15));
  expect(asked.splice(0)).toEqual(['10', '12']);
  expect(await read(10, 99)).toEqual(rows(11, 12, 13, 15, 16));
  expect(asked).toEqual(['10', '12', '15']);
});

test.each([
  { data: { code: 'auth.tokenInvalid' }, report: 'socket.refused' },
  { data: { code: 'request.rateLimited' }, report: 'socket.failed' },
  { data: { code: 401 }, report: 'socket.failed' },
])('a connection that the server rejects with $data is reported as $report', async ({ data, report }) => {
  network.use(
    live.addEventListener('connection', ({ client }) => {
      client.send(
        `0${JSON.stringify({ sid: 'one', upgrades: [], pingInterval: 60_000, pingTimeout: 60_000 })}`,
      );
      client.addEventListener('message', ({ data: frame }) => {
        if (String(frame).startsWith('40')) client.send(`44${JSON.stringify({ message: 'No', data })}`);
      });
    }),
  );
  const sendBack = jest.fn();
  const { openSocket } = await actors();
  const close = openSocket({
    input: { token: 'token-1', after: 5 },
    sendBack,
    receive: () => undefined,
  } as never);
  await waitFor(() => expect(sendBack.mock.calls).toEqual([[{ type: report }]]));
  (close as () => void)();
});
