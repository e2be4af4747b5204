import { PauseOutlined, PlayCircleOutlined } from '@ant-design/icons';
import { Button, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { useProjects } from '../../api/get.projects';
import { ListState } from '../../ui/ListState';
import { LiveState } from './LiveState';
import { TailRow } from './TailRow';
import { formatCount } from './usage.format';
import { isRolling, type UsageView } from './usage.view';
import { useUsageTail } from './useUsageTail';

/** Rows drawn while the list follows: more would cost every frame and nobody reads them in passing. */
const shownRows = 50;
/** Rows added by each 'Load older'. */
const olderRows = 100;

const skeleton = (
  <div className="usage-tail-skeleton">
    {Array.from({ length: 8 }, (_, index) => (
      <Skeleton key={index} active title={false} paragraph={{ rows: 1, width: '100%' }} />
    ))}
  </div>
);

/** The calls of the view, newest first, as they arrive. Give it a key that changes with the view. */
export function UsageTail({ view }: { view: UsageView }) {
  const tail = useUsageTail(view);
  const projects = useProjects();
  const [limit, setLimit] = useState(shownRows);
  const isFollowable = isRolling(view.range);
  const names = useMemo(
    () => new Map(projects.data?.map(({ code, projectName }) => [code, projectName])),
    [projects.data],
  );

  const { rows, older } = tail;
  const shown = rows.slice(0, limit);
  const showOlder = () => {
    // Somebody who reads back wants the list to stay where it is.
    if (isFollowable && !tail.isPaused) tail.pause();
    setLimit(limit + olderRows);
    if (limit + olderRows > rows.length && (older === 'some' || older === 'failed')) tail.loadOlder();
  };
  const follow = () => {
    setLimit(shownRows);
    tail.resume();
  };
  const unseen = `${formatCount(tail.unseen)}${tail.isUnseenExact ? '' : ' or more'}`;
  const hasOlder = rows.length > limit || (older !== 'none' && older !== 'full');

  return (
    <section
      className="usage-card usage-tail"
      aria-labelledby="usage-tail-title"
      data-machine="usageTail"
      data-state={tail.isPaused ? 'paused' : 'following'}
    >
      <div className="usage-card-head">
        <h2 id="usage-tail-title">Calls</h2>
        {isFollowable ? (
          <>
            <LiveState readAt={tail.readAt} />
            {tail.isPaused && (
              <span className="usage-paused tabular">
                Paused{(tail.unseen > 0 || !tail.isUnseenExact) && `, ${unseen} new`}
              </span>
            )}
            <Button
              className="usage-card-action"
              icon={tail.isPaused ? <PlayCircleOutlined /> : <PauseOutlined />}
              onClick={tail.isPaused ? follow : tail.pause}
            >
              {tail.isPaused ? 'Resume' : 'Pause'}
            </Button>
          </>
        ) : (
          <span className="usage-card-note">This range has ended; new calls are not part of it.</span>
        )}
      </div>
      <ListState
        isLoading={tail.isLoading}
        error={rows.length === 0 ? tail.error : null}
        errorTitle="Failed to load calls"
        onRetry={tail.refresh}
        isEmpty={rows.length === 0}
        emptyTitle="No calls match"
        emptyHelp="Calls show up here the moment they are recorded."
        skeleton={skeleton}
      >
        <table role="table" className="usage-table" aria-labelledby="usage-tail-title">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col" className="usage-cell-time">
                Time
              </th>
              <th role="columnheader" scope="col" className="usage-cell-call">
                Call
              </th>
              <th role="columnheader" scope="col" className="usage-cell-status">
                Status
              </th>
              <th role="columnheader" scope="col" className="usage-cell-ms">
                Response
              </th>
              <th role="columnheader" scope="col" className="usage-cell-project">
                Project
              </th>
              <th role="columnheader" scope="col" className="usage-cell-origin">
                Origin
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {shown.map((row) => (
              <TailRow
                key={row.seq}
                row={row}
                projectName={
                  row.projectId === null ? 'Saved key' : (names.get(row.projectId) ?? row.projectId)
                }
                isLive={row.seq > tail.liveAfter}
              />
            ))}
          </tbody>
        </table>
        <div className="usage-tail-foot">
          {older === 'failed' && <span role="alert">Earlier calls could not be loaded.</span>}
          {hasOlder && (
            <Button onClick={showOlder} loading={older === 'loading'}>
              Load older
            </Button>
          )}
          {older === 'full' && !hasOlder && (
            <span>{formatCount(rows.length)} calls are shown. Narrow the range to see earlier ones.</span>
          )}
        </div>
      </ListState>
    </section>
  );
}
