import { expect, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { http } from 'msw';
import { json, network } from '../../../testing/network';
import type { CallAnswer, SentCall } from './explorer.types';
import { findCall } from './find.call';

test('a call is looked for from 10 s before its response began, or in all calls if the response has no date', async () => {
  const asked: (string | null)[] = [];
  network.use(
    http.get('/api/usage', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('from'));
      return json({ rows: [usageRowOf(7, { responseTime: 500 })], next: null });
    }),
  );
  const answer = { status: 200, serverMs: 500, at: Date.parse('2026-01-01T12:00:30.500Z') } as CallAnswer;
  const find = (change: Partial<CallAnswer> = {}) =>
    findCall(
      { endpoint: 'walletBalance' } as SentCall,
      { ...answer, ...change },
      'key-1',
      new AbortController().signal,
    );
  expect(await find()).toMatchObject({ seq: 7 });
  await find({ at: null });
  expect(asked).toEqual(['2026-01-01T12:00:20.000Z', null]);
});
