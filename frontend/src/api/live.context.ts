import { createContext, useContext } from 'react';
import type { UsageRow } from '@orange-id/contract/usage.schema';

export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'stopped';

type Unsubscribe = () => void;

export interface Live {
  /** How the connection to the live tail stands; `stopped` when signed out or without a provider. */
  status: LiveStatus;
  /** False while the browser reports no network; the connection then waits instead of retrying. */
  isOnline: boolean;
  /** Ms since the epoch at which the data was last known to be current, `null` before the first time. */
  lastUpdateAt: number | null;
  /** New rows, deduplicated, in the order of `seq` and without gaps; at most one call per animation frame. */
  onRows(listener: (rows: UsageRow[]) => void): Unsubscribe;
  /** Rows were skipped (too far behind to be sent one by one): what was read before must be read again. */
  onResync(listener: () => void): Unsubscribe;
}

const nothing: Unsubscribe = () => {};

/** The live connection of the signed-in session; without a provider it is `stopped` and silent. */
export const LiveContext = createContext<Live>({
  status: 'stopped',
  isOnline: true,
  lastUpdateAt: null,
  onRows: () => nothing,
  onResync: () => nothing,
});

/** The live connection: its state, and subscriptions to rows. */
export function useLive(): Live {
  return useContext(LiveContext);
}
