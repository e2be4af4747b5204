import { expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { CallAggregator } from './call.aggregator.js';
import type { MeteredCall } from './metered.call.js';

const callOf = (more: Partial<MeteredCall> = {}): MeteredCall => ({
  userId: 'owner',
  keyId: 'key',
  projectId: 'orange-abcdefghij',
  endpoint: '/api/v1/key',
  method: 'GET',
  statusCode: 403,
  responseTime: 1,
  at: 0,
  origin: 'https://stranger.example.com',
  outcome: 'blocked',
  errorCode: null,
  path: null,
  calls: 1,
  ...more,
});
const shown = (calls: MeteredCall[]) => calls.map(({ origin, calls: count }) => [origin, count]);

test('the first blocked call of an origin gets its own row at once; later ones share one row a second', () => {
  const aggregator = new CallAggregator();
  expect(aggregator.addByOrigin(callOf())).toEqual({ isFirst: true, origin: 'https://stranger.example.com' });
  for (let more = 0; more < 9; more++) expect(aggregator.addByOrigin(callOf()).isFirst).toBe(false);
  expect(shown(aggregator.take())).toEqual([['https://stranger.example.com', 9]]);
  expect(aggregator.addByOrigin(callOf()).isFirst).toBe(false);
  expect(shown(aggregator.take())).toEqual([['https://stranger.example.com', 1]]);
  expect(aggregator.take()).toEqual([]);
  expect(aggregator.addByOrigin(callOf()).isFirst).toBe(true);
});

test('calls with a revoked key are counted by origin, like blocked calls', () => {
  const aggregator = new CallAggregator();
  const revoked = callOf({ outcome: 'revoked', statusCode: 401, errorCode: 'key.replaced' });
  for (let place = 0; place < 20; place++) {
    aggregator.addByOrigin({ ...revoked, origin: `https://e${place}.example.com` });
    aggregator.addByOrigin({ ...revoked, origin: `https://e${place}.example.com` });
  }
  const rows = aggregator.take();
  expect(rows).toHaveLength(limits.refusedOriginsPerKey + 1);
  expect(rows.at(-1)).toMatchObject({ origin: 'other', outcome: 'revoked', errorCode: 'key.replaced' });
  expect(aggregator.addByOrigin({ ...revoked, origin: 'https://e0.example.com' }).isFirst).toBe(false);
});

test('calls of different keys, routes and outcomes are counted separately', () => {
  const aggregator = new CallAggregator();
  const kinds = [{}, { keyId: 'other' }, { endpoint: '/api/v1/wallet/balance' }];
  for (const kind of kinds) expect(aggregator.addByOrigin(callOf(kind)).isFirst).toBe(true);
  for (const kind of kinds) expect(aggregator.addByOrigin(callOf(kind)).isFirst).toBe(false);
  for (const outcome of ['limited', 'overQuota'] as const) {
    for (const kind of kinds) aggregator.add(callOf({ ...kind, outcome, statusCode: 429 }));
  }
  expect(aggregator.take()).toHaveLength(9);
});

test('5,000 blocked calls of 5,000 origins a second make few rows, and each is counted', () => {
  const aggregator = new CallAggregator();
  let rows = 0;
  let calls = 0;
  const origins = new Set<string | null>();
  const seconds = 10;
  for (let second = 0; second < seconds; second++) {
    for (let place = 0; place < 5_000; place++) {
      const { isFirst, origin } = aggregator.addByOrigin(
        callOf({ origin: `https://e${second}-${place}.example.com` }),
      );
      origins.add(origin);
      if (isFirst) [rows, calls] = [rows + 1, calls + 1];
    }
    for (const row of aggregator.take()) [rows, calls] = [rows + 1, calls + row.calls];
  }
  expect(calls).toBe(5_000 * seconds);
  expect(rows).toBeLessThanOrEqual((limits.refusedOriginsPerKey + 2) * seconds);
  expect(origins).toContain('other');
  expect(origins.size).toBeLessThanOrEqual(limits.refusedOriginsPerKey * seconds + 1);
});

test("many origins of one key don't hide the origins of another key", () => {
  const aggregator = new CallAggregator();
  for (let place = 0; place < 100; place++)
    aggregator.addByOrigin(callOf({ origin: `https://e${place}.example.com` }));
  expect(aggregator.addByOrigin(callOf({ keyId: 'other' })).origin).toBe('https://stranger.example.com');
});

test('an origin that keeps calling stays listed by name while others come and go', () => {
  const aggregator = new CallAggregator();
  aggregator.addByOrigin(callOf());
  for (let second = 0; second < 5; second++) {
    for (let place = 0; place < 20; place++)
      aggregator.addByOrigin(callOf({ origin: `https://e${second}-${place}.example` }));
    expect(aggregator.addByOrigin(callOf())).toEqual({
      isFirst: false,
      origin: 'https://stranger.example.com',
    });
    aggregator.take();
  }
});

test('refused calls of 300 keys of one owner make few rows a second, and each is counted eventually', () => {
  const aggregator = new CallAggregator();
  const seconds = 10;
  let sent = 0;
  let rows = 0;
  let calls = 0;
  for (let second = 0; second < seconds; second++) {
    for (let key = 0; key < 300; key++) {
      for (const outcome of ['limited', 'overQuota'] as const) {
        sent++;
        aggregator.add(callOf({ keyId: `key-${key}`, outcome, statusCode: 429 }));
      }
      for (let place = 0; place < 6; place++) {
        sent++;
        const origin = `https://e${place}.example.com`;
        if (aggregator.addByOrigin(callOf({ keyId: `key-${key}`, origin })).isFirst)
          [rows, calls] = [rows + 1, calls + 1];
      }
    }
    for (const row of aggregator.take()) [rows, calls] = [rows + 1, calls + row.calls];
  }
  expect(rows).toBeLessThanOrEqual(limits.refusedRowsPerOwner * seconds);
  expect(aggregator.addByOrigin(callOf({ userId: 'another', keyId: 'another' })).isFirst).toBe(true);
  for (const row of aggregator.take(true)) calls += row.calls;
  expect(calls).toBe(sent);
});

test('if an owner has many keys, each key gets a row in turn', () => {
  const aggregator = new CallAggregator();
  const seen = new Set<string>();
  for (let second = 0; second < 8; second++) {
    for (let key = 0; key < 60; key++) {
      const call = callOf({ keyId: `key-${key}` });
      if (aggregator.addByOrigin(call).isFirst) seen.add(call.keyId);
    }
    for (const { keyId } of aggregator.take()) seen.add(keyId);
  }
  expect(seen.size).toBe(60);
});
