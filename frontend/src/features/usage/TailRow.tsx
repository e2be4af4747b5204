import type { UsageRow } from '@orange-id/contract/usage.schema';
import { memo } from 'react';
import { callColumns } from './call.columns';

interface TailRowProps {
  row: UsageRow;
  projectName: string;
  /** The address of the page with this call's detail open, without its question mark. */
  search: string;
  linkState: unknown;
  /** Whether Tab stops at this row; from there arrow keys move to the others. */
  isTabStop: boolean;
  /** Whether it came live, and so fades in. */
  isLive: boolean;
}

/** One call. The roles are spelled out because narrow screens lay the cells out as a grid, which drops the table's own. */
export const TailRow = memo(function TailRow(props: TailRowProps) {
  const { row, projectName, search, linkState, isTabStop, isLive } = props;
  const link = { to: { search }, state: linkState, preventScrollReset: true, tabIndex: isTabStop ? 0 : -1 };
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
          {cell(row, { projectName, link })}
        </td>
      ))}
    </tr>
  );
});
