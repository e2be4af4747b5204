import { SafetyOutlined } from '@ant-design/icons';
import type { AccountChange } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { Button, Card, Typography } from 'antd';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useAccountChanges } from '../../api/account/get.account.changes';
import { linkingPath, type LinkingRequest } from '../../api/account/linking.path';
import { Ago } from '../../ui/Ago';
import { TextWithEmails } from '../../ui/EmailText';
import { ListState } from '../../ui/ListState';
import { RowsShape } from '../../ui/PageShapes';
import { changeSentence } from './change.text';

const shownAtFirst = 5;
const fromSettings: LinkingRequest = { from: '/settings' };

/** Changes to the account's sign-in methods, password and project names, so that its owner notices those made by somebody else. */
export function RecentChanges() {
  const { data, isPending, isFetching, error, refetch } = useAccountChanges();
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const rest = (data?.length ?? 0) - shownAtFirst;

  return (
    <Card title="Recent changes">
      <ListState
        isLoading={isPending}
        error={error}
        errorTitle="Failed to load recent changes"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={data?.length === 0}
        emptyTitle="No recent changes"
        emptyHelp={`Changes to your sign-in methods, password changes, sign-outs from all sessions, new names of projects and what administrators did to your account appear here for ${limits.accountChangesKeptDays} days.`}
        skeleton={<RowsShape hasActions={false} />}
      >
        <ul className="rows" ref={list} tabIndex={-1} aria-label="Recent changes">
          {data?.slice(0, isWhole ? undefined : shownAtFirst).map((each) => (
            <li key={each.id}>
              <SafetyOutlined className="rows-icon" aria-hidden />
              <ChangeTexts change={each} />
            </li>
          ))}
        </ul>
        {rest > 0 && !isWhole && (
          <div className="rows-end">
            <Button
              onClick={() => {
                setIsWhole(true);
                list.current?.focus();
              }}
            >
              Show {rest} more
            </Button>
          </div>
        )}
        <div className="rows-end">
          <Typography.Text type="secondary">
            If you didn’t make one of these changes, review{' '}
            <Link to={linkingPath} state={fromSettings}>
              your sign-in methods
            </Link>
            , sign out everywhere and, if you have a password, change it.
          </Typography.Text>
        </div>
      </ListState>
    </Card>
  );
}

function ChangeTexts({ change }: { change: AccountChange }) {
  return (
    <div className="rows-words">
      <strong>
        <TextWithEmails text={changeSentence(change)} />
      </strong>
      <span className="note">
        {change.device && <>{change.device} · </>}
        <Ago iso={change.at} />
      </span>
    </div>
  );
}
