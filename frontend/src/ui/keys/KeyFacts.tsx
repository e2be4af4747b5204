import type { SavedKey } from '@orange-id/contract/keys.schema';
import { Flex, Tag } from 'antd';
import { useLive } from '../../api/usage/live.context';
import { Ago } from '../Ago';
import { useNow } from '../clock.store';
import { formatCount } from '../number.text';
import { absoluteTime, formatClock, formatLeft } from '../time.text';
import { Tooltip } from '../Tooltip';

interface KeyFactsProps {
  saved: SavedKey;
  /**
   * When the key was fetched, in ms since the epoch; only on a page that does not otherwise show how current its data
   * is.
   */
  readAt?: number;
}

/** When a key was created and last used, and its calls since 00:00 UTC. */
export function KeyFacts({ saved: { createdAt, lastUsed, callsToday }, readAt }: KeyFactsProps) {
  const { status } = useLive();
  const isFollowing = status === 'live' || status === 'connecting';
  return (
    <span className="note tabular">
      Created <Ago iso={createdAt} /> ·{' '}
      <span>
        {lastUsed ? (
          <>
            Last used <Ago iso={lastUsed} />
          </>
        ) : (
          'Not used yet'
        )}
      </span>{' '}
      ·{' '}
      <Tooltip text="Since 00:00 UTC">
        <span>{`${formatCount(callsToday)} ${callsToday === 1 ? 'call' : 'calls'} today`}</span>
      </Tooltip>
      <span>{readAt !== undefined && !isFollowing && ` · as of ${formatClock(readAt)}`}</span>
    </span>
  );
}

/** The expiry and the limit of a key, if they are set. */
export function KeyTags({ saved: { expiresAt, rateLimit, replacedAt } }: { saved: SavedKey }) {
  const now = useNow();
  if (expiresAt === null && rateLimit === null) return null;
  const left = expiresAt === null ? null : formatLeft(expiresAt, now);
  return (
    <Flex wrap gap={4}>
      {expiresAt !== null && (
        <Tooltip text={absoluteTime(expiresAt)}>
          <Tag color={left === null ? 'error' : 'warning'}>
            {left === null ? 'Expired' : `${replacedAt === null ? 'Expires' : 'Replaced, ends'} in ${left}`}
          </Tag>
        </Tooltip>
      )}
      {rateLimit !== null && <Tag>{`${formatCount(rateLimit)} ${rateLimit === 1 ? 'call' : 'calls'}/s`}</Tag>}
    </Flex>
  );
}
