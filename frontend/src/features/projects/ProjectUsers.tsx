import '../../ui/skeleton.css';
import { DownloadOutlined } from '@ant-design/icons';
import type { ProjectUsersMetrics } from '@orange-id/contract/project.users.schema';
import { Button, Card, Flex, Segmented, Tag } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { failureText } from '../../api/failure.text';
import { exportUsers, useProjectUserMetrics } from '../../api/projects/get.users';
import { Figure } from '../../ui/Figure';
import { LiveState } from '../../ui/LiveState';
import { QueryFailure } from '../../ui/LoadFailure';
import { formatCount, formatShare } from '../../ui/number.text';
import { useToast } from '../../ui/toast';
import { UserBars } from './UserBars';
import { UserRows } from './UserRows';
import { dayName, methodName, regionName } from './users.text';
import {
  readUsersView,
  userFilters,
  userRanges,
  usersFiltersOf,
  writeUsersView,
  type UserRange,
  type UsersView,
} from './users.view';
import styles from './users.module.css';

const UsersPlot = lazy(async () => ({ default: (await import('./UsersPlot')).UsersPlot }));

const shownAs = { method: methodName, platform: (name: string) => name, region: regionName };

/** The people who sign in through a project: figures, growth, breakdowns and a list; range and filters are in the URL. */
export function ProjectUsers({ code }: { code: string }) {
  const [query, setQuery] = useSearchParams();
  const text = query.toString();
  const view = useMemo(() => readUsersView(new URLSearchParams(text)), [text]);
  const show = (part: Partial<UsersView>) =>
    setQuery((now) => writeUsersView(now, { ...readUsersView(now), ...part }), { preventScrollReset: true });
  const shown = useMemo(() => ({ view, filtersAt: (now: number) => usersFiltersOf(view, now) }), [view]);
  const answer = useProjectUserMetrics(code, shown);
  const { data, error, isPlaceholderData, dataUpdatedAt } = answer;
  const hasFilters = userFilters.some((name) => view[name]);
  const isUnused = data?.totals.total === 0 && !hasFilters;

  const showToast = useToast();
  const [isExporting, setIsExporting] = useState(false);
  const download = async () => {
    setIsExporting(true);
    try {
      save(await exportUsers(code, shown.filtersAt(Date.now())), `users-${code}.csv`);
    } catch (failure) {
      showToast({ title: 'Export Failed', description: failureText(failure), tone: 'error' });
    } finally {
      setIsExporting(false);
    }
  };

  return (
    <Card>
      <Flex component="section" vertical gap={16} aria-labelledby="users-title" aria-busy={isPlaceholderData}>
        <Flex wrap gap={8} align="center" justify="space-between">
          <Flex gap={12} align="center">
            <h2 id="users-title">Users</h2>
            <LiveState readAt={dataUpdatedAt || null} />
          </Flex>
          {!isUnused && (
            <Flex wrap gap={8} align="center">
              <Segmented<UserRange>
                aria-label="Range"
                value={view.range}
                options={Object.keys(userRanges) as UserRange[]}
                onChange={(range) => show({ range })}
              />
              <Button
                icon={<DownloadOutlined aria-hidden />}
                loading={isExporting}
                onClick={() => void download()}
              >
                CSV
              </Button>
            </Flex>
          )}
        </Flex>
        {hasFilters && (
          <Flex wrap gap={8}>
            {userFilters.map((name) => {
              const value = view[name];
              return (
                value && (
                  <Tag
                    key={name}
                    closable={{ 'aria-label': `Remove the filter ${shownAs[name](value)}` }}
                    onClose={() => show({ [name]: undefined })}
                  >
                    {shownAs[name](value)}
                  </Tag>
                )
              );
            })}
          </Flex>
        )}
        {error && !data ? (
          <QueryFailure title="Failed to load users" query={answer} />
        ) : isUnused ? (
          <div className="list-empty">
            <strong>Nobody has signed in yet</strong>
            <span className="note">
              Add sign-in to your site as shown under Integrate. The first person appears here within a
              second.
            </span>
          </div>
        ) : (
          <>
            <Figures metrics={data} />
            <Growth metrics={data} />
            {data && (
              <div className={styles.breakdowns}>
                <UserBars
                  title="By method"
                  all={data.totals.users}
                  items={data.methods.map(({ method, users }) => ({
                    value: method,
                    label: methodName(method),
                    users,
                  }))}
                  chosen={view.method}
                  onChoose={(method) => show({ method: method as UsersView['method'] })}
                />
                <UserBars
                  title="By platform"
                  all={data.totals.users}
                  items={data.platforms.map(({ platform, users }) => ({
                    value: platform,
                    label: platform,
                    users,
                  }))}
                  chosen={view.platform}
                  onChoose={(platform) => show({ platform: platform as UsersView['platform'] })}
                />
                <UserBars
                  title="By region"
                  all={data.totals.users}
                  items={data.regions.map(({ region, users }) => ({
                    value: region,
                    label: regionName(region),
                    users,
                  }))}
                  chosen={view.region}
                  onChoose={(region) => show({ region })}
                />
              </div>
            )}
            <UserRows code={code} shown={shown} />
          </>
        )}
      </Flex>
    </Card>
  );
}

function Figures({ metrics }: { metrics: ProjectUsersMetrics | undefined }) {
  const totals = metrics?.totals;
  const share = (part: number) => (totals?.users ? `${formatShare(part, totals.users)} of users` : '');
  return (
    <dl className={styles.figures}>
      <Figure
        label="Users"
        value={totals && formatCount(totals.users)}
        note={totals && `${formatCount(totals.signIns)} ${totals.signIns === 1 ? 'sign-in' : 'sign-ins'}`}
      />
      <Figure label="New" value={totals && formatCount(totals.new)} note={totals && share(totals.new)} />
      <Figure
        label="Returning"
        value={totals && formatCount(totals.returning)}
        note={totals && share(totals.returning)}
      />
      <Figure label="Total" value={totals && formatCount(totals.total)} note={totals && 'since the start'} />
    </dl>
  );
}

/** New, returning and all people over time, as a canvas and, for screen readers, as a table. */
function Growth({ metrics }: { metrics: ProjectUsersMetrics | undefined }) {
  const skeleton = <div className={`skeleton ${styles.plot}`} />;
  return (
    <div>
      <Flex wrap gap={16} align="center" className={styles.chartHead}>
        <h3>Growth</h3>
        <ul className={`note ${styles.legend}`}>
          <li data-kind="new">New</li>
          <li data-kind="returning">Returning</li>
          <li data-kind="total">Total, right scale</li>
        </ul>
        <span className="note">Days in UTC</span>
      </Flex>
      {metrics ? (
        <Suspense fallback={skeleton}>
          <UsersPlot series={metrics.series} bucketDays={metrics.bucketDays} />
        </Suspense>
      ) : (
        skeleton
      )}
      {metrics && (
        <div className="visually-hidden">
          <table>
            <caption>Growth</caption>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">New</th>
                <th scope="col">Returning</th>
                <th scope="col">Total</th>
              </tr>
            </thead>
            <tbody>
              {metrics.series.map(({ day, new: fresh, returning, total }) => (
                <tr key={day}>
                  <th scope="row">{dayName(day)}</th>
                  <td>{formatCount(fresh)}</td>
                  <td>{formatCount(returning)}</td>
                  <td>{formatCount(total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

/** Saves text as a file of this name. */
function save(text: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
