import '../../ui/rows.css';
import { Button, Flex } from 'antd';
import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import { ListState } from '../../ui/ListState';
import { formatCount } from '../../ui/number.text';
import { callColumns } from './call.columns';
import { isPlainClick } from './CallLink';
import { TailRow } from './TailRow';
import { tailSkeleton } from './UsageSkeleton';
import type { Names } from './useNames';
import type { useUsageAddress } from './useUsageAddress';
import type { UsageTailState } from './useUsageTail';
import styles from './usage.module.css';

/** Rows rendered while the list follows: more would slow down every frame, and nobody can read them while they move. */
const shownRows = 50;
/** Rows added by each 'Load earlier calls'. */
const olderRows = 100;

interface UsageTailProps {
  tail: UsageTailState;
  /** Whether the view can still receive new calls. */
  isOpen: boolean;
  names: Names;
  callHref: ReturnType<typeof useUsageAddress>['callHref'];
  onOpen: (call: number) => void;
}

const linkOf = (row: Element | null | undefined) => row?.querySelector<HTMLElement>(`.${styles.callLink}`);

/** The row that each key moves to. */
const rowSteps: Record<string, (row: Element) => Element | null | undefined> = {
  ArrowDown: (row) => row.nextElementSibling,
  ArrowUp: (row) => row.previousElementSibling,
  Home: (row) => row.parentElement?.firstElementChild,
  End: (row) => row.parentElement?.lastElementChild,
};

/** The calls of the view, newest first, as they arrive. Give it a key that changes with the view. */
export function UsageTail({ tail, isOpen, names, callHref, onOpen }: UsageTailProps) {
  const [limit, setLimit] = useState(shownRows);
  const [focused, setFocused] = useState<number | null>(null);

  // When the list resumes, it is short again.
  if (isOpen && !tail.isPaused && limit !== shownRows) setLimit(shownRows);

  const { rows, older } = tail;
  const body = useRef<HTMLTableSectionElement>(null);
  /** The index of the first row that 'Load earlier calls' loads, once clicked. */
  const awaited = useRef<number | null>(null);
  useEffect(() => {
    const place = awaited.current;
    if (place === null || older === 'loading') return;
    awaited.current = null;
    // The button disappears if there are no more calls, so the focus goes to a row.
    const all = body.current?.rows;
    if (document.activeElement === document.body) linkOf(all?.[place] ?? all?.[all.length - 1])?.focus();
  });
  const shown = rows.slice(0, limit);
  const tabStop = shown.some(({ seq }) => seq === focused) ? focused : shown[0]?.seq;
  // Reading the list pauses it, so that it does not move.
  const stay = () => {
    if (isOpen) tail.pause();
  };
  const showOlder = () => {
    stay();
    awaited.current = shown.length;
    setLimit(limit + olderRows);
    if (limit + olderRows > rows.length && (older === 'some' || older === 'failed')) tail.loadOlder();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as Element).closest('tr');
    const next = row && linkOf(rowSteps[event.key]?.(row));
    if (!next) return;
    event.preventDefault();
    stay();
    next.focus();
  };
  const onFocus = ({ target, relatedTarget }: FocusEvent) => {
    setFocused(Number(target.closest('tr')?.dataset['seq']));
    // A list that follows would move the row and its focus away. Focus returning from a closed call does not pause: the
    // list continues as before the call was opened.
    const isReturning = relatedTarget === null || relatedTarget.closest(`.${styles.detail}`) !== null;
    if (!isReturning && target.matches(':focus-visible')) stay();
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const isLink = target.closest('a') !== null;
    const row = target.closest('tr');
    // Selecting text in a row opens nothing.
    if (!row || !isPlainClick(event) || (!isLink && window.getSelection()?.isCollapsed === false)) {
      stay();
      return;
    }
    event.preventDefault();
    if (isOpen) tail.pauseForCall();
    onOpen(Number(row.dataset['seq']));
  };
  const hasOlder = rows.length > limit || (older !== 'none' && older !== 'full');

  return (
    <section
      className={`light-card ${styles.tail}`}
      aria-labelledby="usage-tail-title"
      data-machine="usageTail"
      data-state={tail.isPaused ? 'paused' : 'following'}
    >
      <div className="light-card-head">
        <h2 id="usage-tail-title" tabIndex={-1}>
          Calls
        </h2>
      </div>
      <ListState
        isLoading={tail.isLoading}
        error={rows.length === 0 || tail.isIncomplete ? tail.error : null}
        errorTitle={rows.length === 0 ? 'Failed to load calls' : 'Failed to load earlier calls'}
        isPartial={rows.length > 0}
        onRetry={tail.retry}
        isEmpty={rows.length === 0}
        emptyTitle="No calls to show"
        emptyHelp={isOpen && 'New calls that match your filters appear here.'}
        skeleton={tailSkeleton}
      >
        <table
          role="table"
          className={styles.table}
          data-rushed={tail.isFast}
          aria-labelledby="usage-tail-title"
        >
          <thead role="rowgroup">
            <tr role="row">
              {callColumns.map(({ name, title }) => (
                <th key={name} role="columnheader" scope="col" data-cell={name} style={{ gridArea: name }}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody
            ref={body}
            role="rowgroup"
            aria-description="Arrow keys move from call to call."
            onKeyDown={onKeyDown}
            onClick={onClick}
            // A row must not move away under the pointer.
            onPointerDown={({ pointerType }) => pointerType === 'mouse' && isOpen && tail.pauseForCall()}
            onFocus={onFocus}
          >
            {shown.map((row) => (
              <TailRow
                key={row.seq}
                row={row}
                projectName={names.projectName(row)}
                href={callHref(row.seq)}
                isTabStop={row.seq === tabStop}
                isLive={row.seq > tail.liveAfter}
              />
            ))}
          </tbody>
        </table>
        {hasOlder && (
          <Flex wrap gap={12} align="center" justify="center" className="note rows-end">
            {older === 'failed' && <span role="alert">Failed to load earlier calls.</span>}
            <Button onClick={showOlder} loading={older === 'loading'}>
              Load earlier calls
            </Button>
          </Flex>
        )}
        {older === 'full' && !hasOlder && (
          <p className="note rows-end">
            Showing the latest {formatCount(rows.length)} calls. To see earlier ones, choose a range that ends
            earlier.
          </p>
        )}
      </ListState>
    </section>
  );
}
