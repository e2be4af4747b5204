import { DesktopOutlined, LoadingOutlined } from '@ant-design/icons';
import type { ActiveSession } from '@orange-id/contract/identity.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Button, Card, Flex, Tag, Typography } from 'antd';
import { useCallback, useRef } from 'react';
import { useAuth } from '../../api/session/auth.context';
import { useConfig } from '../../api/config/config.context';
import { endAllSessions, endSession } from '../../api/account/end.sessions';
import { failureText } from '../../api/failure.text';
import { useActiveSessions } from '../../api/account/get.active.sessions';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/cache/query.keys';
import { Ago } from '../../ui/Ago';
import { ListState } from '../../ui/ListState';
import { methodNames } from '../../ui/method.names';
import { absoluteTime } from '../../ui/time.text';
import { besideRow } from '../../ui/row.focus';
import { RowsShape } from '../../ui/PageShapes';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { endSessionMachine, signOutEverywhereMachine } from './end.sessions.machine';

/** A remote service can have other sign-in methods. */
const nameOf = (provider: string) => (methodNames as Record<string, string>)[provider] ?? provider;

/** The session had already ended, which is the wanted result; the refetched list shows it. */
const isGone = (error: unknown) => error instanceof HttpError && error.code === 'auth.sessionNotFound';

/** The account's sessions, with buttons to end another one or all of them, including this one. */
export function ActiveSessions() {
  const { identity } = useConfig();
  const { logout } = useAuth();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data, isPending, isFetching, error, refetch } = useActiveSessions();
  const beside = useRef<(() => HTMLElement | null) | null>(null);
  const everywhere = useRef<HTMLButtonElement>(null);

  const readAgain = () => {
    // The refetch removes the row, so the focus moves first.
    beside.current?.()?.focus();
    void queryClient.invalidateQueries({ queryKey: queryKeys.activeSessions });
  };
  const endOne = useCallback((id: string) => endSession(identity.baseUrl, id), [identity.baseUrl]);
  const ending = useSubmission(endSessionMachine, endOne, {
    onDone: () => {
      showToast({ tone: 'success', title: 'Session Ended', description: 'That device is signed out.' });
      readAgain();
    },
    onFailed: (reason) => {
      if (!isGone(reason))
        showToast({ tone: 'error', title: 'Couldn’t End Session', description: failureText(reason) });
      readAgain();
    },
  });
  const endAll = useCallback(() => endAllSessions(identity.baseUrl), [identity.baseUrl]);
  const endingAll = useSubmission(signOutEverywhereMachine, endAll, { onDone: logout });
  const snapshot = useSelector(ending, (current) => current);
  const isEnding = snapshot.hasTag('busy');
  return (
    <Card title="Active sessions" data-machine="endSession" data-state={snapshot.value}>
      <ListState
        isLoading={isPending}
        error={error}
        errorTitle="Failed to load your sessions"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={data?.length === 0}
        emptyTitle="No sessions to show"
        emptyHelp="Another service manages your account and lists its sessions."
        skeleton={<RowsShape />}
      >
        <ul className="rows" aria-label="Active sessions">
          {data?.map((each) => (
            <li key={each.id}>
              <DesktopOutlined className="rows-icon" aria-hidden />
              <SessionTexts session={each} />
              {!each.isCurrent && (
                <Button
                  aria-label={`End the session on ${each.device ?? 'an unknown device'}, signed in ${absoluteTime(each.signedInAt)}`}
                  // Not `disabled`, which would drop the focus; the machine ends one session at a time.
                  aria-disabled={isEnding}
                  icon={isEnding && snapshot.context.subject === each.id && <LoadingOutlined aria-hidden />}
                  onClick={({ currentTarget }) => {
                    if (!isEnding) beside.current = besideRow(currentTarget, everywhere.current);
                    ending.send({ type: 'submission.start', subject: each.id });
                  }}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
        <Flex wrap gap="8px 16px" align="center" justify="space-between" className="rows-end">
          <Typography.Text type="secondary">Lost a device? Sign out of all sessions.</Typography.Text>
          <Button
            ref={everywhere}
            danger
            // The end of a session moves the focus, which must not leave the dialog.
            onClick={() => !isEnding && endingAll.send({ type: 'submission.open', subject: null })}
          >
            Sign out everywhere
          </Button>
        </Flex>
      </ListState>
      <SubmissionDialog
        actor={endingAll}
        title="Sign out everywhere"
        act="Sign out everywhere"
        busyAct="Signing out..."
        failureOf={failureText}
      >
        This ends every session, including this one. You’ll need to sign in again.
      </SubmissionDialog>
    </Card>
  );
}

function SessionTexts({ session }: { session: ActiveSession }) {
  return (
    <div className="rows-words">
      <Flex wrap gap="4px 8px" align="center">
        <strong>{session.device ?? 'Unknown device'}</strong>
        {session.isCurrent && <Tag color="success">This device</Tag>}
      </Flex>
      <span className="note">
        {nameOf(session.provider)} · signed in <Ago iso={session.signedInAt} /> ·{' '}
        <span>
          {session.isCurrent ? (
            'in\u00a0use\u00a0now'
          ) : (
            <>
              last used <Ago iso={session.lastUsedAt} />
            </>
          )}
        </span>
      </span>
    </div>
  );
}
