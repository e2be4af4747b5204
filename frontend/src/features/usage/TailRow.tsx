import type { UsageRow } from '@orange-id/contract/usage.schema';
import { memo } from 'react';
import { absoluteTime } from '../../ui/time.text';
import { useNow } from './clock.store';
import { formatAgo, formatCount, formatDuration, outcomeOf } from './usage.format';

interface TailRowProps {
  row: UsageRow;
  /** The project's name, its code when it is gone, or what else the key belongs to. */
  projectName: string;
  /** Whether it came live, and so fades in. */
  isLive: boolean;
}

function Ago({ iso }: { iso: string }) {
  const now = useNow();
  return (
    <time dateTime={iso} title={absoluteTime(iso)}>
      {formatAgo(Date.parse(iso), now)}
    </time>
  );
}

function originTitle({ origin, outcome }: UsageRow): string {
  if (origin === null) return 'The call carried no Origin header';
  if (origin === 'local') return 'A page of this portal or of the same machine';
  return outcome === 'blocked' ? `${origin} is not in the whitelist of this project` : origin;
}

/** One call. The roles are spelled out because narrow screens lay the cells out as a grid, which drops the table's own. */
export const TailRow = memo(function TailRow({ row, projectName, isLive }: TailRowProps) {
  const { tone, word } = outcomeOf(row);
  const origin = row.origin ?? 'None';
  return (
    <tr
      role="row"
      className={isLive ? 'usage-row usage-row-live' : 'usage-row'}
      data-seq={row.seq}
      data-outcome={row.outcome}
    >
      <td role="cell" className="usage-cell-time tabular">
        <Ago iso={row.timestamp} />
      </td>
      <td role="cell" className="usage-cell-call">
        <code title={`${row.method} ${row.endpoint}`}>
          <span className="usage-method">{row.method}</span> {row.endpoint}
        </code>
      </td>
      <td role="cell" className="usage-cell-status">
        <span className="usage-tag tabular" data-tone={tone}>
          {row.statusCode} {word}
          {row.calls !== undefined && ` × ${formatCount(row.calls)}`}
        </span>
      </td>
      <td role="cell" className="usage-cell-ms tabular">
        {formatDuration(row.responseTime)}
      </td>
      <td role="cell" className="usage-cell-project" title={row.projectId ?? undefined}>
        {projectName}
      </td>
      <td role="cell" className="usage-cell-origin" title={originTitle(row)}>
        {row.outcome === 'blocked' ? (
          <strong>
            {origin} <span className="visually-hidden">is not in the whitelist</span>
          </strong>
        ) : (
          origin
        )}
      </td>
    </tr>
  );
});
