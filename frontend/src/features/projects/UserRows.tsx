import { Button, Typography } from 'antd';
import { useProjectUsers, type ShownUsers } from '../../api/projects/get.users';
import { Ago } from '../../ui/Ago';
import { ListState } from '../../ui/ListState';
import { LoadFailure } from '../../ui/LoadFailure';
import { shortAddress } from '../../ui/short.address';
import { methodName, personName, regionName } from './users.text';
import styles from './users.module.css';

interface UserRowsProps {
  code: string;
  shown: ShownUsers;
}

/** The people who signed in, the latest sign-in first. */
export function UserRows({ code, shown }: UserRowsProps) {
  const query = useProjectUsers(code, shown);
  const { data, error, isPending, isFetching, refetch } = query;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  // Somebody who signs in between two pages is on both.
  const users = [
    ...new Map(data?.pages.flatMap((page) => page.users.map((user) => [user.id, user] as const))).values(),
  ];
  return (
    <ListState
      isLoading={isPending}
      error={data ? null : error}
      errorTitle="Failed to load users"
      isRetrying={isFetching}
      onRetry={() => void refetch()}
      isEmpty={users.length === 0}
      emptyTitle="Nobody signed in"
      emptyHelp="Choose a longer range, or remove a filter."
    >
      <div className={styles.scroll} role="group" aria-label="People" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Last sign-in</th>
              <th scope="col">Method</th>
              <th scope="col">Platform</th>
              <th scope="col">Region</th>
              <th scope="col">First seen</th>
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              <tr key={user.id}>
                <th scope="row" title={user.id}>
                  <span className={user.name || user.email || user.wallet ? undefined : styles.unnamed}>
                    {personName(user)}
                  </span>
                  {user.name && (user.email || user.wallet) && (
                    <Typography.Text type="secondary">
                      {user.email ?? shortAddress(user.wallet as string)}
                    </Typography.Text>
                  )}
                </th>
                <td>
                  <Ago iso={user.lastSeenAt} />
                </td>
                <td>{methodName(user.method)}</td>
                <td>{user.platform}</td>
                <td>{regionName(user.region)}</td>
                <td>
                  <Ago iso={user.firstSeenAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isFetchNextPageError && (
        <LoadFailure
          title="Failed to load more users"
          error={error}
          isRetrying={isFetchingNextPage}
          onRetry={() => void fetchNextPage()}
        />
      )}
      {hasNextPage && !isFetchNextPageError && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </ListState>
  );
}
