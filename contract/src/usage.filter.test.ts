import { describe, expect, test } from '@jest/globals';
import { statusRange, usageMatcher, usageTime } from './usage.filter.rule.js';
import { usageFilters, type UsageFilters } from './usage.filter.schema.js';
import { usageRowOf } from './usage.row.fixture.js';
import type { UsageRow } from './usage.schema.js';

const keyId = '0193d6a0-0000-7000-8000-00000000abcd';
const row = usageRowOf(1, {
  keyId,
  statusCode: 403,
  origin: 'https://example.org',
  outcome: 'blocked',
});
const ok: UsageRow = { ...row, statusCode: 200, outcome: 'ok', origin: null, projectId: null };
const limited: UsageRow = { ...row, statusCode: 429, outcome: 'limited', origin: 'local' };
const failed: UsageRow = { ...row, statusCode: 503, outcome: 'error', errorCode: 'chain.unavailable' };
const revoked: UsageRow = {
  ...ok,
  statusCode: 401,
  outcome: 'revoked',
  errorCode: 'key.replaced',
  endpoint: 'unknown',
};
const all = { blocked: row, ok, limited, failed, revoked };

const matching = (filters: UsageFilters) => {
  const matches = usageMatcher(filters);
  return Object.entries(all).flatMap(([name, one]) => (matches(one) ? [name] : []));
};

describe('the rows that match a filter', () => {
  test.each<[UsageFilters, string[]]>([
    [{}, ['blocked', 'ok', 'limited', 'failed', 'revoked']],
    [{ status: '403' }, ['blocked']],
    [{ status: '404' }, []],
    [{ status: '4xx' }, ['blocked', 'limited', 'revoked']],
    [{ status: 'revoked' }, ['revoked']],
    [{ errorCode: 'key.replaced' }, ['revoked']],
    [{ errorCode: 'chain.unavailable', status: '5xx' }, ['failed']],
    [{ endpoint: 'unknown' }, ['revoked']],
    [{ status: '5xx' }, ['failed']],
    [{ status: '2xx' }, ['ok']],
    [{ status: 'errors' }, ['limited', 'failed', 'revoked']],
    [{ status: 'blocked' }, ['blocked']],
    [{ origin: 'none' }, ['ok', 'revoked']],
    [{ origin: 'local' }, ['limited']],
    [{ origin: 'https://example.org' }, ['blocked', 'failed']],
    [{ projectId: 'orange-k3x9p2m7qa' }, ['blocked', 'limited', 'failed']],
    [{ projectId: 'orange-0000000000' }, []],
    [{ keyId }, ['blocked', 'ok', 'limited', 'failed', 'revoked']],
    [{ keyId: keyId.toUpperCase() }, ['blocked', 'ok', 'limited', 'failed', 'revoked']],
    [{ keyId: keyId.replace('abcd', 'abce') }, []],
    [{ endpoint: '/api/v1/key' }, ['blocked', 'ok', 'limited', 'failed']],
    [{ endpoint: '/api/v1' }, []],
    [{ method: 'GET' }, ['blocked', 'ok', 'limited', 'failed', 'revoked']],
    [{ method: 'POST' }, []],
    [{ method: 'GET', status: '4xx', origin: 'local' }, ['limited']],
  ])('for %j are %j', (filters, names) => {
    expect(usageFilters.parse(filters)).toEqual(filters);
    expect(matching(filters)).toEqual(names);
  });

  test('from is inclusive, to exclusive', () => {
    const at = '2026-01-01T12:00:00.000Z';
    expect(matching({ from: at })).toHaveLength(5);
    expect(matching({ to: at })).toHaveLength(0);
    expect(matching({ from: '2026-01-01T14:00:00.000+02:00', to: '2026-01-01T12:00:00.001Z' })).toHaveLength(
      5,
    );
    expect(matching({ from: '2026-01-01T12:00:00.0001Z' })).toHaveLength(0);
    expect(matching({ to: '2026-01-01T12:00:00.0001Z' })).toHaveLength(5);
  });
});

test.each<[string, [number, number] | null]>([
  ['404', [404, 404]],
  ['4xx', [400, 499]],
  ['1xx', [100, 199]],
  ['errors', null],
  ['blocked', null],
])('the status filter %s means %j', (status, range) => expect(statusRange(status)).toEqual(range));

const time = 'must be an ISO 8601 time in the years 0001 to 9999, such as 2026-01-31T12:00:00Z';
const statuses = 'must be a status such as 404, a class such as 4xx, errors, blocked or revoked';
test.each<[keyof UsageFilters, string, string]>([
  ['status', '6xx', statuses],
  ['status', '4x', statuses],
  ['status', '4xx ', statuses],
  ['status', '', statuses],
  ['errorCode', 'Key.replaced', 'must be an error code such as request.invalid'],
  ['errorCode', 'key', 'must be an error code such as request.invalid'],
  ['method', 'get', 'must be an HTTP method such as GET'],
  ['method', '', 'must be an HTTP method such as GET'],
  ['keyId', '5', 'must be a key ID'],
  ['projectId', '', 'must be a project ID'],
  ['projectId', 'x'.repeat(65), 'must have at most 64 characters'],
  ['endpoint', '', 'must be an endpoint'],
  ['endpoint', 'a\u0000b', 'must not contain control characters'],
  ['origin', '', 'must be an origin, local or none'],
  ['origin', `https://${'x'.repeat(255)}`, 'must have at most 255 characters'],
  ['from', 'yesterday', time],
  ['from', '2026-02-30T00:00:00Z', time],
  ['to', '2026-01-01', time],
  ['from', '0000-01-01T00:00:00Z', time],
  ['from', '0001-01-01T00:00:00+01:00', time],
  ['to', '9999-12-31T23:30:00-01:00', time],
  ['to', '+010000-01-01T00:00:00Z', time],
])('%s=%j is refused: it %s', (field, value, message) => {
  const parsed = usageFilters.safeParse({ [field]: value });
  expect(parsed.error?.issues).toEqual([expect.objectContaining({ path: [field], message })]);
});

test('an unknown filter is refused', () =>
  expect(usageFilters.safeParse({ userId: 'x' }).success).toBe(false));

test('a time finer than a millisecond is rounded up to the next one, but not into the year 10000', () => {
  const noon = Date.parse('2026-05-05T12:00:00.000Z');
  expect(usageTime('2026-05-05T12:00:00.000Z')).toBe(noon);
  expect(usageTime('2026-05-05T12:00:00.000000Z')).toBe(noon);
  expect(usageTime('2026-05-05T12:00:00.000001Z')).toBe(noon + 1);
  expect(usageTime('2026-05-05T11:59:59.9995Z')).toBe(noon);
  expect(usageTime('9999-12-31T23:59:59.9995Z')).toBe(Date.parse('9999-12-31T23:59:59.999Z'));
});
