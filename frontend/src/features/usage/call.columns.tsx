import type { UsageRow } from '@orange-id/contract/usage.schema';
import type { ReactNode } from 'react';
import { Ago } from '../../ui/Ago';
import { originLabel, originSentence } from '../../ui/call.text';
import { EndedText } from '../../ui/EndedText';
import { StatusTag } from '../../ui/StatusTag';
import { formatDuration } from '../../ui/time.text';
import { CallLink } from './CallLink';

/** What a row shows besides the call itself. */
export interface CallContext {
  /** The project's name, its code if it no longer exists, or what the key belongs to instead. */
  projectName: string;
  /** The page's URL with this call open. */
  href: string;
  /** Whether Tab stops at this row; the arrow keys move on to the others. */
  isTabStop: boolean;
}

interface CallColumn {
  name: 'time' | 'call' | 'status' | 'ms' | 'project' | 'origin';
  title: string;
  /** Further classes of the cells. */
  look?: string;
  /** Tooltip of the cell. */
  hint?: (row: UsageRow) => string | undefined;
  cell: (row: UsageRow, context: CallContext) => ReactNode;
}

/** The columns of the list, shared by its head and rows. */
export const callColumns: readonly CallColumn[] = [
  { name: 'time', title: 'Time', look: 'note tabular', cell: (row) => <Ago iso={row.timestamp} /> },
  {
    name: 'call',
    title: 'Call',
    cell: (row, { href, isTabStop }) => <CallLink row={row} href={href} tabIndex={isTabStop ? 0 : -1} />,
  },
  { name: 'status', title: 'Status', cell: (row) => <StatusTag row={row} /> },
  { name: 'ms', title: 'Response', look: 'tabular', cell: (row) => formatDuration(row.responseTime) },
  {
    name: 'project',
    title: 'Project',
    hint: (row) => row.projectId ?? undefined,
    cell: (_row, { projectName }) => <EndedText text={projectName} />,
  },
  {
    name: 'origin',
    title: 'Origin',
    look: 'note',
    hint: originSentence,
    cell: ({ origin, outcome }) =>
      outcome === 'blocked' ? (
        <strong>
          {originLabel(origin)} <span className="visually-hidden">wasn’t an allowed URL at the time</span>
        </strong>
      ) : (
        originLabel(origin)
      ),
  },
];
