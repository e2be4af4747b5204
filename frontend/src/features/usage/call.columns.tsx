import type { UsageRow } from '@orange-id/contract/usage.schema';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { Ago } from './Ago';
import { StatusTag } from './StatusTag';
import { formatDuration, originSentence } from './usage.format';

/** What a row shows beside itself. */
export interface CallContext {
  /** The project's name, its code when it is gone, or what else the key belongs to. */
  projectName: string;
  /** Leads to the call's detail. */
  link: Pick<LinkProps, 'to' | 'state' | 'preventScrollReset' | 'tabIndex'>;
}

interface CallColumn {
  name: 'time' | 'call' | 'status' | 'ms' | 'project' | 'origin';
  title: string;
  isTabular?: boolean;
  /** Shown by the pointer over the cell. */
  hint?: (row: UsageRow) => string | undefined;
  cell: (row: UsageRow, context: CallContext) => ReactNode;
}

/** The columns of the calls, once for the head and for the rows. */
export const callColumns: readonly CallColumn[] = [
  { name: 'time', title: 'Time', isTabular: true, cell: (row) => <Ago iso={row.timestamp} /> },
  {
    name: 'call',
    title: 'Call',
    cell: (row, { link }) => (
      <Link className="usage-call-link" {...link}>
        <code title={`${row.method} ${row.endpoint}`}>
          <span className="usage-method">{row.method}</span> {row.endpoint}
        </code>
      </Link>
    ),
  },
  { name: 'status', title: 'Status', cell: (row) => <StatusTag row={row} /> },
  { name: 'ms', title: 'Response', isTabular: true, cell: (row) => formatDuration(row.responseTime) },
  {
    name: 'project',
    title: 'Project',
    hint: (row) => row.projectId ?? undefined,
    cell: (_row, { projectName }) => projectName,
  },
  {
    name: 'origin',
    title: 'Origin',
    hint: originSentence,
    cell: ({ origin, outcome }) =>
      outcome === 'blocked' ? (
        <strong>
          {origin ?? 'None'} <span className="visually-hidden">is not in the whitelist</span>
        </strong>
      ) : (
        (origin ?? 'None')
      ),
  },
];
