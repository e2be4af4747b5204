import { describe, expect, test } from '@jest/globals';
import { usageRanges } from '@orange-id/contract/usage.range';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import fc from 'fast-check';
import {
  dayOf,
  filtersOf,
  previousFiltersOf,
  readAddress,
  rowsInView,
  writeAddress,
  type UsageAddress,
  type UsageView,
} from './usage.view';

const noon = Date.parse('2026-01-01T12:00:00.000Z');
const read = (query: string) => readAddress(new URLSearchParams(query));
const plain: UsageAddress = { view: { range: '24h' }, isCompared: true, call: null, problems: [] };

describe('the address', () => {
  test('without parameters is the last 24 hours', () => {
    expect(read('')).toEqual(plain);
    expect(writeAddress(plain).toString()).toBe('');
    expect(read('projectId=&endpoint=&range=&call=')).toEqual(plain);
  });

  test.each([
    'range=7d',
    'range=1h&projectId=orange-k3x9p2m7qa&keyId=0193d6a0-0000-7000-8000-000000000000&endpoint=%2Fapi%2Fv1%2Fkey&method=GET&status=4xx&origin=none',
    'from=2026-01-01T10%3A00%3A00.000Z&to=2026-01-01T11%3A00%3A00.000Z&status=blocked&compare=off&call=12',
    'endpoint=unknown&status=revoked&errorCode=key.replaced',
  ])('%s is written as it was read', (query) => {
    expect(read(query).problems).toEqual([]);
    expect(writeAddress(read(query)).toString()).toBe(query);
  });

  test.each([
    ['range=2h', 'range', '2h', 'must be one of 1h, 24h, 7d, 30d.'],
    ['range=toString', 'range', 'toString', 'must be one of 1h, 24h, 7d, 30d.'],
    [
      'status=6xx',
      'status',
      '6xx',
      'must be a status such as 404, a class such as 4xx, errors, blocked or revoked.',
    ],
    [
      "status=4xx'",
      'status',
      "4xx'",
      'must be a status such as 404, a class such as 4xx, errors, blocked or revoked.',
    ],
    ['errorCode=nonsense', 'errorCode', 'nonsense', 'must be an error code such as request.invalid.'],
    ['method=get', 'method', 'get', 'must be an HTTP method such as GET.'],
    ['keyId=7', 'keyId', '7', 'must be a key ID.'],
    ['status=404&status=500', 'status', '404, 500', 'appears more than once.'],
    ['statsu=404', 'statsu', '404', 'isn’t a filter on this page.'],
    ['__proto__=1', '__proto__', '1', 'isn’t a filter on this page.'],
    ['from=2026-01-01T10:00:00Z', 'custom range', '2026-01-01T10:00:00Z – ', 'needs a valid start and end.'],
    ['from=yesterday&to=today', 'custom range', 'yesterday – today', 'needs a valid start and end.'],
    ['from=2026-01-02&to=2026-01-01', 'custom range', '2026-01-02 – 2026-01-01', 'must end after it starts.'],
    [
      'from=2024-01-01&to=2026-01-01',
      'custom range',
      '2024-01-01 – 2026-01-01',
      'must span at most 400 days.',
    ],
    ['compare=on', 'compare', 'on', 'isn’t valid: use “off” or remove it.'],
    ['call=0', 'call', '0', 'must be a call number.'],
    ['call=1e3', 'call', '1e3', 'must be a call number.'],
  ])(
    '%s: the part that cannot be read is listed, and the rest applies without it',
    (query, name, value, why) => {
      expect(read(query)).toEqual({ ...plain, problems: [{ name, value, why }] });
      expect(read(`${query}&endpoint=/x`).view).toEqual({ range: '24h', endpoint: '/x' });
    },
  );

  test('an invalid fixed range falls back to the rolling range of the same URL', () => {
    expect(read('from=yesterday&to=today&range=30d').view.range).toBe('30d');
  });

  const text = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
  const address = fc
    .record({
      range: fc.oneof(
        fc.constantFrom(...(Object.keys(usageRanges) as UsageView['range'][])),
        fc.tuple(time, fc.integer({ min: 1, max: 400 * 86_400_000 })).map(([from, ms]) => ({
          from: new Date(from).toISOString(),
          to: new Date(from + ms).toISOString(),
        })),
      ),
      filters: fc.record(
        {
          projectId: text,
          keyId: fc.uuid(),
          endpoint: text,
          method: fc.stringMatching(/^[A-Z]{1,20}$/),
          status: fc.oneof(
            fc.integer({ min: 100, max: 599 }).map(String),
            fc.constantFrom('2xx', '4xx', '5xx', 'errors', 'blocked'),
          ),
          origin: text,
        },
        { requiredKeys: [] },
      ),
      isCompared: fc.boolean(),
      call: fc.option(fc.integer({ min: 1, max: 2 ** 40 })),
    })
    .map(({ range, filters, ...rest }) => ({ ...rest, view: { range, ...filters } }));

  test('every view is read back from its address unchanged', () => {
    fc.assert(
      fc.property(address, (wanted) => {
        const back = read(writeAddress(wanted).toString());
        const refused = back.problems.map(({ name }) => name);
        // Text filters refuse only control characters.
        for (const name of refused) expect(['projectId', 'endpoint', 'origin']).toContain(name);
        fc.pre(refused.length === 0);
        expect(back).toEqual({ ...wanted, problems: [] });
      }),
      { numRuns: 500 },
    );
  });

  test('any address can be read, and writing it leaves no problems', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'range',
        'from',
        'to',
        'projectId',
        'keyId',
        'status',
        'method',
        'origin',
        'call',
        'compare',
      ),
      fc.string(),
    );
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('4xx', 'GET', '7d', '2026-01-01', '2026-01-02', 'off', '3'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (pairs) => {
        const first = readAddress(new URLSearchParams(pairs));
        const again = read(writeAddress(first).toString());
        expect(again).toEqual({ ...first, problems: [] });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the filters sent', () => {
  test('have no end for a range up to now, and omit empty filters', () => {
    expect(filtersOf({ range: '1h', status: '5xx', projectId: '', origin: 'none' }, noon)).toEqual({
      from: '2026-01-01T11:00:00.000Z',
      status: '5xx',
      origin: 'none',
    });
  });

  test('cover a previous period of the same length that ends where this one starts', () => {
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

describe('the live calls of the view', () => {
  const at = (timestamp: string) => [usageRowOf(1, { timestamp })];
  const fixed = { from: '2026-01-01T10:00:00.000Z', to: '2026-01-01T11:00:00.000Z' };

  test('start with the range, and include calls from a server whose clock is ahead', () => {
    expect(rowsInView(at('2026-01-01T11:00:00.000Z'), { range: '1h' }, noon)).toHaveLength(1);
    expect(rowsInView(at('2026-01-01T10:59:59.999Z'), { range: '1h' }, noon)).toHaveLength(0);
    expect(rowsInView(at('2026-01-01T12:00:05.000Z'), { range: '1h' }, noon)).toHaveLength(1);
  });

  test('end with a fixed range', () => {
    expect(rowsInView(at('2026-01-01T10:00:00.000Z'), { range: fixed }, noon)).toHaveLength(1);
    expect(rowsInView(at('2026-01-01T11:00:00.000Z'), { range: fixed }, noon)).toHaveLength(0);
  });

  test('are those that match the filters', () => {
    const rows = [
      usageRowOf(1),
      usageRowOf(2, { statusCode: 403, outcome: 'blocked', origin: 'https://example.org' }),
      usageRowOf(3, { statusCode: 503, outcome: 'error', method: 'POST' }),
    ];
    const seqs = (view: Omit<UsageView, 'range'>) =>
      rowsInView(rows, { range: '1h', ...view }, noon).map(({ seq }) => seq);
    expect(seqs({})).toEqual([1, 2, 3]);
    expect(seqs({ status: 'blocked' })).toEqual([2]);
    expect(seqs({ status: 'errors' })).toEqual([3]);
    expect(seqs({ origin: 'none', method: 'GET' })).toEqual([1]);
    expect(seqs({ endpoint: '/api/v1' })).toEqual([]);
  });
});

test('the day of a time runs from local midnight to the next', () => {
  const { from, to } = dayOf(noon);
  const local = (iso: string) => {
    const date = new Date(iso);
    return [date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds()];
  };
  const day = new Date(noon).getDate();
  expect([local(from), local(to)]).toEqual([
    [day, 0, 0, 0, 0],
    [day + 1, 0, 0, 0, 0],
  ]);
});
