import { PauseOutlined, PlayCircleOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { latestCall } from '../../api/usage/last.call';
import { Ago } from '../../ui/Ago';
import { LiveState } from '../../ui/LiveState';
import { formatCount } from '../../ui/number.text';
import { StatusTag } from '../../ui/StatusTag';
import { CallLink, isPlainClick } from './CallLink';
import type { useUsageAddress } from './useUsageAddress';
import type { UsageTailState } from './useUsageTail';
import styles from './usage.module.css';

interface UsageNowProps {
  tail: UsageTailState;
  /** Whether the view can still receive new calls. */
  isOpen: boolean;
  callHref: ReturnType<typeof useUsageAddress>['callHref'];
  onOpen: (call: number) => void;
}

/** The live state at the top of the page: whether the list follows, its latest call, and the button that pauses it. */
export function UsageNow({ tail, isOpen, callHref, onOpen }: UsageNowProps) {
  const { isPaused, isHeld, unseen, isUnseenExact, rows } = tail;
  const note =
    unseen > 0 || !isUnseenExact ? `, ${formatCount(unseen)}${isUnseenExact ? '' : ' or more'} new` : '';
  const latest = latestCall(rows);
  return (
    <section className={`light-card ${styles.now}`} aria-label="Live calls" data-held={isHeld}>
      {isOpen ? (
        <LiveState readAt={tail.readAt} paused={isPaused ? { note } : null} />
      ) : (
        <span className="note">This range is in the past. New calls won’t appear.</span>
      )}
      {latest && (
        <span className={styles.nowLatest}>
          <span className={`note ${styles.nowLabel}`}>Latest call</span>
          <CallLink
            row={latest}
            href={callHref(latest.seq)}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              onOpen(latest.seq);
            }}
          />
          <StatusTag row={latest} />
          <span className="note tabular">
            <Ago iso={latest.timestamp} />
          </span>
        </span>
      )}
      {!latest && tail.isLoading && <LatestCallSkeleton />}
      {!latest && !tail.isLoading && !tail.error && (
        <span className={`note ${styles.nowLatest}`}>Latest call: none</span>
      )}
      {isOpen && (
        <Button
          icon={isPaused ? <PlayCircleOutlined aria-hidden /> : <PauseOutlined aria-hidden />}
          onClick={isPaused ? tail.resume : tail.pause}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
    </section>
  );
}

/** Takes the place of the latest call while the calls load. */
function LatestCallSkeleton() {
  return (
    <span className={styles.nowLatest} aria-hidden>
      <span className={`note ${styles.nowLabel}`}>Latest call</span>
      <span className={styles.callLink}>
        <span className="skeleton skeleton-line-14" style={{ width: 160 }} />
      </span>
      <span className="skeleton skeleton-line-14" style={{ width: 160 }} />
    </span>
  );
}
