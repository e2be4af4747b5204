import { describe, expect, test } from '@jest/globals';
import { usageRowOf } from '../../api/usage.row.fixture';
import { filtersOf, isInView, previousFiltersOf, readView, writeView, type UsageView } from './usage.view';

const noon = Date.parse('2026-01-01T12:00:00.000Z');
const read = (query: string) => readView(new URLSearchParams(query));

describe('the address', () => {
  test('without anything is the last 24 hours', () => {
    expect(read('')).toEqual({ range: '24h' });
    expect(writeView({ range: '24h' }).toString()).toBe('');
  });

  test.each([
    'range=7d',
    'range=1h&projectId=orange-k3x9p2m7qa&endpoint=%2Fapi%2Fv1%2Fkey&status=4xx',
    'from=2026-01-01T10%3A00%3A00.000Z&to=2026-01-01T11%3A00%3A00.000Z&status=403',
  ])('%s comes back as it was', (query) => {
    expect(writeView(read(query)).toString()).toBe(query);
  });

  test.each([
    ['range=2h', { range: '24h' }],
    ['range=toString', { range: '24h' }],
    ['status=6xx', { range: '24h' }],
    ['status=4xx%27', { range: '24h' }],
    ['projectId=&endpoint=', { range: '24h' }],
    ['from=2026-01-01T10:00:00Z', { range: '24h' }],
    ['from=2026-01-01T12:00:00Z&to=2026-01-01T10:00:00Z', { range: '24h' }],
    ['from=yesterday&to=today&range=30d', { range: '30d' }],
  ])('%s: what cannot be understood counts as not given', (query, view) => {
    expect(read(query)).toEqual(view);
  });
});

describe('the filters sent', () => {
  test('a range up to now has no end', () => {
    expect(filtersOf({ range: '1h', status: '5xx', projectId: '', endpoint: '' }, noon)).toEqual({
      from: '2026-01-01T11:00:00.000Z',
      status: '5xx',
    });
  });

  test('the period before is as long and ends where this one begins', () => {
    expect(previousFiltersOf({ range: '1h', endpoint: '/api/v1/key' }, noon)).toEqual({
      from: '2026-01-01T10:00:00.000Z',
      to: '2026-01-01T11:00:00.000Z',
      endpoint: '/api/v1/key',
    });
    const range = { from: '2026-01-01T08:00:00.000Z', to: '2026-01-01T08:30:00.000Z' };
    expect(previousFiltersOf({ range }, noon)).toEqual({
      from: '2026-01-01T07:30:00.000Z',
      to: '2026-01-01T08:00:00.000Z',
    });
  });
});

describe('a live call belongs to the view', () => {
  const at = (timestamp: string) => usageRowOf(1, { timestamp });
  const fixed = { from: '2026-01-01T10:00:00.000Z', to: '2026-01-01T11:00:00.000Z' };

  test('from the beginning of the range on, also when its clock runs ahead of ours', () => {
    expect(isInView(at('2026-01-01T11:00:00.000Z'), { range: '1h' }, noon)).toBe(true);
    expect(isInView(at('2026-01-01T10:59:59.999Z'), { range: '1h' }, noon)).toBe(false);
    expect(isInView(at('2026-01-01T12:00:05.000Z'), { range: '1h' }, noon)).toBe(true);
  });

  test('before the end of a fixed range', () => {
    expect(isInView(at('2026-01-01T10:00:00.000Z'), { range: fixed }, noon)).toBe(true);
    expect(isInView(at('2026-01-01T11:00:00.000Z'), { range: fixed }, noon)).toBe(false);
  });

  test.each<[Partial<UsageView>, boolean]>([
    [{}, true],
    [{ projectId: 'orange-k3x9p2m7qa' }, true],
    [{ projectId: 'orange-0000000000' }, false],
    [{ endpoint: '/api/v1/key' }, true],
    [{ endpoint: '/api/v1' }, false],
    [{ status: '4xx' }, true],
    [{ status: '403' }, true],
    [{ status: '404' }, false],
    [{ status: '5xx' }, false],
    [{ status: '403', endpoint: '/api/v1/wallet/balance' }, false],
  ])('with %j: %s', (filter, isIn) => {
    const row = usageRowOf(1, { statusCode: 403, outcome: 'blocked', origin: 'https://example.org' });
    expect(isInView(row, { range: '1h', ...filter }, noon)).toBe(isIn);
  });
});
