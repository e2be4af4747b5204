import type { Outcome } from '@orange-id/contract/usage.schema';
import { literal } from './clickhouse.client.js';
import { outcomeIds } from './clickhouse.schema.js';
import { RowBinaryWriter } from './row.binary.js';
import type { CallTexts, Span } from './shipping.repository.js';

/** Appends a row in the order of `callColumns`. */
export function writeCall(writer: RowBinaryWriter, row: CallTexts): void {
  writer.uuid(row[0]);
  writer.uuid(row[1]);
  writer.uint64(Number(row[2]));
  writer.uint64(Number(row[3]));
  writer.text(row[4]);
  writer.text(row[5]);
  writer.text(row[6]);
  writer.uint16(Number(row[7]));
  writer.uint8(outcomeIds[row[8] as Outcome]);
  writer.text(row[9]);
  writer.text(row[10]);
  writer.text(row[11]);
  writer.float32(Number(row[12]));
  writer.uint32(Number(row[13]));
}

export const seqOf = (row: CallTexts): number => Number(row[3]);

export function timesOf(rows: readonly CallTexts[]): { from: number; to: number } {
  let [from, to] = [Infinity, -Infinity];
  for (const row of rows) {
    const ts = Number(row[2]);
    if (ts < from) from = ts;
    if (ts > to) to = ts;
  }
  return { from, to };
}

/** The condition for the rows of spans that lie between two times. */
export const spansSql = (spans: readonly Span[], { from, to }: { from: number; to: number }): string =>
  `owner in (${spans.map(({ userId }) => `toUUID(${literal(userId)})`).join(', ')})
   and ts >= ${from} and ts <= ${to} and (${spans
     .map(
       ({ userId, low, high }) => `(owner = toUUID(${literal(userId)}) and seq > ${low} and seq <= ${high})`,
     )
     .join(' or ')})`;
