import type { UsageRow } from '@orange-id/contract/usage.schema';
import { memo } from 'react';
import { callColumns, type CallContext } from './call.columns';

interface TailRowProps extends CallContext {
  row: UsageRow;
  /** Whether it came live, and so fades in. */
  isLive: boolean;
}

/** One call. The roles are spelled out because narrow screens lay the cells out as a grid, which drops the table's own. */
export const TailRow = memo(function TailRow({ row, isLive, ...context }: TailRowProps) {
  return (
    <tr
      role="row"
      className={isLive ? 'usage-row usage-row-live' : 'usage-row'}
      data-seq={row.seq}
      data-outcome={row.outcome}
    >
      {callColumns.map(({ name, isTabular, hint, cell }) => (
        <td
          key={name}
          role="cell"
          className={`usage-cell-${name}${isTabular ? ' tabular' : ''}`}
          title={hint?.(row)}
        >
          {cell(row, context)}
        </td>
      ))}
    </tr>
  );
});
