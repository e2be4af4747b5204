import type { UsageRow } from '@orange-id/contract/usage.schema';
import { outcomeOf } from './call.text';
import { formatCount } from './number.text';
import styles from './status-tag.module.css';

/** A call's status code and text, with the number of calls if the row stands for several. */
export function StatusTag({ row }: { row: UsageRow }) {
  const { tone, word } = outcomeOf(row);
  return (
    <span className={`${styles.root} tabular`} data-tone={tone}>
      {row.statusCode} {word}
      <span>{row.calls !== undefined && ` × ${formatCount(row.calls)}`}</span>
    </span>
  );
}
