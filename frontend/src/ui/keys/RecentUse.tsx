import type { SavedKey } from '@orange-id/contract/keys.schema';
import { usageRanges } from '@orange-id/contract/usage.range';
import { Alert } from 'antd';
import { useMemo } from 'react';
import { useLiveMetrics } from '../../api/usage/live.metrics';
import { useNow } from '../clock.store';
import { formatCount } from '../number.text';
import { absoluteTime, formatAgo } from '../time.text';

const recentMs = usageRanges['24h'];

/** The calls of one key in the last 24 hours, live. */
export function useKeyMetrics(keyId: string) {
  const view = useMemo(() => ({ of: 'calls', range: '24h', keyId }), [keyId]);
  return useLiveMetrics({
    view,
    filtersAt: (now) => ({ from: new Date(now - recentMs).toISOString(), keyId }),
    isOpen: true,
    // Figures of another key must not show, not even for a moment.
    isReplacing: false,
  });
}

/** Warns that a key about to stop working was used in the last 24 hours; nothing for any other key. */
export function RecentUse({ saved }: { saved: SavedKey }) {
  const now = useNow();
  const { id, lastUsed } = saved;
  if (lastUsed === null || now - Date.parse(lastUsed) >= recentMs) return null;
  return <RecentCalls keyId={id} lastUsed={lastUsed} />;
}

function RecentCalls({ keyId, lastUsed }: { keyId: string; lastUsed: string }) {
  const now = useNow();
  const { data, isError } = useKeyMetrics(keyId);
  const calls = data?.totals.calls;
  const count =
    calls === undefined
      ? isError
        ? 'Its calls in the last 24 hours couldn’t be counted.'
        : 'Counting its calls in the last 24 hours...'
      : `${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'} in the last 24 hours.`;
  return (
    <Alert
      type="warning"
      showIcon
      role="note"
      title={`Last used ${formatAgo(lastUsed, now)}, at ${absoluteTime(lastUsed)}. ${count}`}
    />
  );
}
