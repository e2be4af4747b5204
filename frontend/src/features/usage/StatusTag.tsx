import type { UsageRow } from '@orange-id/contract/usage.schema';
import { formatCount } from '../../ui/number.text';
import { outcomeOf } from './usage.format';

/** A call's status with its word, and how many calls the row stands for where that is not one. */
export function StatusTag({ row }: { row: UsageRow }) {
  const { tone, word } = outcomeOf(row);
  return (
    <span className="usage-tag tabular" data-tone={tone}>
      {row.statusCode} {word}
      {row.calls !== undefined && ` × ${formatCount(row.calls)}`}
    </span>
  );
}
