import { createContext, useContext } from 'react';
import type { ForumChange } from '@orange-id/contract/forum.schema';
import type { ProjectChange } from '@orange-id/contract/socket.events';
import type { UsageRow } from '@orange-id/contract/usage.schema';

export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'stopped';

type Unsubscribe = () => void;

export interface Live {
  /** The state of the live connection; `stopped` while signed out or without a provider. */
  status: LiveStatus;
  /** False while the browser reports no network; the connection then waits instead of retrying. */
  isOnline: boolean;
  /** When the data was last known to be current, in ms since the epoch; `null` before the first time. */
  lastUpdateAt: number | null;
  /** New rows, deduplicated, in the order of `seq` and without gaps; at most one call per animation frame. */
  onRows(listener: (rows: UsageRow[]) => void): Unsubscribe;
  /** Rows were skipped because the page was too far behind; everything fetched before must be refetched. */
  onResync(listener: () => void): Unsubscribe;
  /** Something happened in one of the user's projects; `projectId` is its code. */
  onProject(listener: (change: { projectId: string; kind: ProjectChange }) => void): Unsubscribe;
  /** Something changed in the community; sent only while somebody listens. */
  onForum(listener: (change: ForumChange) => void): Unsubscribe;
}

const nothing: Unsubscribe = () => {};

/** The live connection of the session; without a provider it is `stopped` and sends nothing. */
export const LiveContext = createContext<Live>({
  status: 'stopped',
  isOnline: true,
  lastUpdateAt: null,
  onRows: () => nothing,
  onResync: () => nothing,
  onProject: () => nothing,
  onForum: () => nothing,
});

/** The state of the live connection, and subscriptions to its rows. */
export function useLive(): Live {
  return useContext(LiveContext);
}
