import { expect, test } from '@jest/globals';
import { anyText } from '@orange-id/contract/any.text.fixture';
import { exportFormats } from '@orange-id/contract/usage.export.schema';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { usageRow } from '@orange-id/contract/usage.schema';
import fc from 'fast-check';
import { csvLine, exportFileName, exportHead, exportLine, ExportNames } from './export.text.js';

const row = usageRowOf(7);
const names: ExportNames = {
  keys: new Map([[row.keyId, 'Acme, "Shop"']]),
  projects: new Map([['orange-k3x9p2m7qa', '=HYPERLINK("https://evil.example")']]),
};

/** Parses CSV as in RFC 4180; throws if it is malformed. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) throw new Error(`not RFC 4180: ${text}`);
    (lines.at(-1) as string[]).push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

test('CSV has a header row and quotes the fields that need quotes', () => {
  expect(exportHead('csv').charCodeAt(0)).toBe(0xfeff);
  const [head, ...lines] = readCsv(exportHead('csv').slice(1) + exportLine('csv', row, names));
  expect(lines).toHaveLength(1);
  expect(Object.fromEntries((head as string[]).map((name, i) => [name, lines[0]?.[i]]))).toEqual({
    seq: '7',
    timestamp: '2026-01-01T12:00:00.000Z',
    method: 'GET',
    endpoint: '/api/v1/key',
    statusCode: '200',
    outcome: 'ok',
    responseTimeMs: '1.2',
    origin: '',
    projectId: 'orange-k3x9p2m7qa',
    projectName: '\'=HYPERLINK("https://evil.example")',
    keyId: row.keyId,
    keyName: 'Acme, "Shop"',
    calls: '1',
    errorCode: '',
    path: '',
  });
});

test('a row of a deleted project and key has ids but no names; a row without a project has no project id', () => {
  const none = { keys: new Map(), projects: new Map() };
  expect(exportLine('csv', { ...row, projectId: null, calls: 12, origin: 'local' }, none)).toBe(
    '7,2026-01-01T12:00:00.000Z,GET,/api/v1/key,200,ok,1.2,local,,,0193d6a0-0000-7000-8000-000000000000,,12,,\r\n',
  );
  const failed = { ...row, errorCode: 'route.notFound', path: '/api/v1/…' };
  expect(exportLine('csv', failed, none)).toMatch(/,1,route\.notFound,\/api\/v1\/…\r\n$/);
  expect(exportLine('csv', row, none)).toContain('orange-k3x9p2m7qa,,');
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t1',
  '\r1',
  '\n1',
  '  =1',
  '\u00a0-1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
])('an apostrophe defuses a cell that begins with %j', (cell) =>
  expect(readCsv(csvLine([cell]))).toEqual([[`'${cell}`]]),
);

test.each([
  ['a;=1+1', "a;'=1+1"],
  ['a; =1+1', "a;' =1+1"],
  ['a;"=1+1"', 'a;\'"=1+1"'],
  ['a;-1;+1', "a;'-1;'+1"],
  ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['a\n=1+1', "a\n'=1+1"],
])('an apostrophe defuses %j for programs that split lines at semicolons or tabs', (cell, plain) =>
  expect(readCsv(csvLine([cell]))).toEqual([[plain]]),
);

test.each(['1=1', 'https://a.example.com', "'=1", '', 'a-b', 'a; b', 'a;b-c', 'Ünïcödé 😀'])(
  '%j stays unchanged',
  (cell) => {
    expect(readCsv(csvLine([cell, 'x']))).toEqual([[cell, 'x']]);
  },
);

test('numbers stay numbers', () => expect(csvLine([-1.5, 0])).toBe('-1.5,0\r\n'));

/**
 * The pieces of a cell that a program could read as cells if it splits lines at semicolons or tabs and ignores quotes.
 */
const piecesOf = (cell: string): string[] => cell.split(/[;\t\r\n]/);

test('any text survives a round trip through CSV, except for added apostrophes, and never becomes a formula', () => {
  const text = fc.oneof(
    anyText(),
    fc
      .array(fc.constantFrom('"', ',', ';', '\r', '\n', '\t', ' ', '=', '+', '-', '@', "'", 'a', '＝'))
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (lines) => {
      const read = readCsv(lines.map((cells) => csvLine(cells)).join(''));
      expect(read.map((cells) => cells.length)).toEqual(lines.map((cells) => cells.length));
      const withoutApostrophes = (table: string[][]) =>
        table.map((cells) => cells.map((cell) => cell.replaceAll("'", '')));
      expect(withoutApostrophes(read)).toEqual(withoutApostrophes(lines));
      const cells = read.flat();
      expect(cells.flatMap(piecesOf).filter((piece) => /^[\s"]*[=+\-@＝＋－＠]/.test(piece))).toEqual([]);
      expect(cells.filter((cell) => /^[\t\r\n]/.test(cell))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('NDJSON has one row per line, as the API returns it', () => {
  expect(exportHead('ndjson')).toBe('');
  const line = exportLine('ndjson', { ...row, origin: 'https://a.example.com\n' }, names);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(usageRow.strict().parse(JSON.parse(line))).toEqual({ ...row, origin: 'https://a.example.com\n' });
});

test('the file name contains the time of the request', () => {
  const at = new Date('2026-05-05T12:03:41.999Z');
  expect(exportFormats.map((format) => exportFileName(format, at))).toEqual([
    'usage-2026-05-05T120341Z.csv',
    'usage-2026-05-05T120341Z.ndjson',
  ]);
});
