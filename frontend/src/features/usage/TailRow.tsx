import type { UsageRow } from '@orange-id/contract/usage.schema';
import { memo } from 'react';
import { callColumns, type CallContext } from './call.columns';
import styles from './usage.module.css';

interface TailRowProps extends CallContext {
  row: UsageRow;
  /** Whether the call arrived live, and so fades in. */
  isLive: boolean;
}

/**
 * One call. The roles are explicit because narrow screens lay out the cells as a grid, which drops the table's roles.
 */
export const TailRow = memo(function TailRow({ row, isLive, ...context }: TailRowProps) {
  return (
    <tr
      role="row"
      className={isLive ? `${styles.row} ${styles.rowLive}` : styles.row}
      data-seq={row.seq}
      data-outcome={row.outcome}
    >
      {callColumns.map(({ name, look, hint, cell }) => (
        <td
          key={name}
          role="cell"
          data-cell={name}
          className={look}
          style={{ gridArea: name }}
          title={hint?.(row)}
        >
          {cell(row, context)}
        </td>
      ))}
    </tr>
  );
});
