import type { ExportFormat } from '@orange-id/contract/usage.export.schema';
import type { UsageRow } from '@orange-id/contract/usage.schema';

/** Names of keys by id, and of projects by code. */
export interface ExportNames {
  keys: ReadonlyMap<string, string>;
  projects: ReadonlyMap<string, string>;
}

export const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** `usage-2026-05-05T120341Z.csv`: the time of the request, in characters that every file system allows. */
export const exportFileName = (format: ExportFormat, askedAt: Date): string =>
  `usage-${askedAt.toISOString().slice(0, 19).replaceAll(':', '')}Z.${format}`;

const columns: Record<string, (row: UsageRow, names: ExportNames) => string | number> = {
  seq: (row) => row.seq,
  timestamp: (row) => row.timestamp,
  method: (row) => row.method,
  endpoint: (row) => row.endpoint,
  statusCode: (row) => row.statusCode,
  outcome: (row) => row.outcome,
  responseTimeMs: (row) => row.responseTime,
  origin: (row) => row.origin ?? '',
  projectId: (row) => row.projectId ?? '',
  projectName: (row, { projects }) => (row.projectId === null ? '' : (projects.get(row.projectId) ?? '')),
  keyId: (row) => row.keyId,
  keyName: (row, { keys }) => keys.get(row.keyId) ?? '',
  calls: (row) => row.calls ?? 1,
  errorCode: (row) => row.errorCode ?? '',
  path: (row) => row.path ?? '',
};

/** Excel reads a CSV file as UTF-8 only if it begins with this. */
export const byteOrderMark = '\ufeff';

/** The text before the first row. */
export const exportHead = (format: ExportFormat): string =>
  format === 'csv' ? byteOrderMark + csvLine(Object.keys(columns)) : '';

/** One row: a CSV line with names beside the ids, or a line of JSON with the row as `GET /api/usage` returns it. */
export function exportLine(format: ExportFormat, row: UsageRow, names: ExportNames): string {
  if (format === 'ndjson') return `${JSON.stringify(row)}\n`;
  return csvLine(Object.values(columns).map((read) => read(row, names)));
}

/**
 * A CSV line (RFC 4180). An apostrophe is put before text that a spreadsheet would run as a formula, also inside a cell
 * where a program that splits lines at semicolons or tabs would start a new cell.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(plain(cell)))).join(',')}\r\n`;
}

/** Spreadsheets skip white space and quotes, and accept the full-width signs of East Asian keyboards. */
const startsFormula = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const separator = /([;\t\r\n])/;
const startsBlank = /^[\t\r\n]/;

function plain(cell: string): string {
  const pieces = cell.split(separator).map((piece) => (startsFormula.test(piece) ? `'${piece}` : piece));
  return (startsBlank.test(cell) ? "'" : '') + pieces.join('');
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
