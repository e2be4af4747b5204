import { DesktopOutlined, LoadingOutlined } from '@ant-design/icons';
import type { ActiveSession } from '@orange-id/contract/identity.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Button, Card, Skeleton, Tag } from 'antd';
import { useEffect, useMemo, useRef } from 'react';
import { fromPromise } from 'xstate';
import { useAuth } from '../../api/auth.context';
import { useConfig } from '../../api/config.context';
import { endAllSessions, endSession } from '../../api/end.sessions';
import { failureText } from '../../api/failure.text';
import { useActiveSessions } from '../../api/get.active.sessions';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/query.keys';
import { inspected } from '../../inspect/machine.inspect';
import { Ago } from '../../ui/Ago';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ListState } from '../../ui/ListState';
import { methodNames } from '../../ui/method.names';
import { absoluteTime } from '../../ui/time.text';
import { besideRow } from '../../ui/row.focus';
import { useToast } from '../../ui/toast';
import { sessionListMachine } from './session.list.machine';

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

  const machine = useMemo(
    () =>
      sessionListMachine.provide({
        actors: {
          endSession: fromPromise(({ input }) => endSession(identity.baseUrl, input.id)),
          endAllSessions: fromPromise(() => endAllSessions(identity.baseUrl)),
        },
      }),
    [identity.baseUrl],
  );
  const actor = useActorRef(machine, inspected);
  const snapshot = useSelector(actor, (current) => current);
  const { sessionId, failure } = snapshot.context;

  useEffect(() => {
    const readAgain = () => {
      // The refetch removes the row, so the focus moves first.
      beside.current?.()?.focus();
      return queryClient.invalidateQueries({ queryKey: queryKeys.activeSessions });
    };
    const subscriptions = [
      actor.on('session.ended', () => {
        showToast({ tone: 'success', title: 'Session Ended', description: 'That device is signed out.' });
        void readAgain();
      }),
      actor.on('session.endFailed', ({ error: reason }) => {
        if (!isGone(reason)) {
          showToast({ tone: 'error', title: 'Couldn’t End Session', description: failureText(reason) });
        }
        void readAgain();
      }),
      actor.on('everywhere.ended', logout),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [actor, logout, queryClient, showToast]);

  const isEnding = snapshot.matches('endingOne');
  return (
    <Card
      className="active-sessions"
      title="Active sessions"
      data-machine="sessionList"
      data-state={snapshot.value}
    >
      <ListState
        isLoading={isPending}
        error={error}
        errorTitle="Failed to load your sessions"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={data?.length === 0}
        emptyTitle="No sessions to show"
        emptyHelp="Another service manages your account and lists its sessions."
        skeleton={
          <Skeleton active avatar={{ size: 36, shape: 'square' }} title={false} paragraph={{ rows: 2 }} />
        }
      >
        <ul className="settings-fields sessions" aria-label="Active sessions">
          {data?.map((each) => (
            <li key={each.id} className="session-row">
              <DesktopOutlined className="session-icon" aria-hidden />
              <SessionWords session={each} />
              {!each.isCurrent && (
                <Button
                  aria-label={`End the session on ${each.device ?? 'an unknown device'}, signed in ${absoluteTime(each.signedInAt)}`}
                  // Not `disabled`, which would drop the focus; the machine ends one session at a time.
                  aria-disabled={isEnding}
                  icon={isEnding && sessionId === each.id && <LoadingOutlined aria-hidden />}
                  onClick={({ currentTarget }) => {
                    if (!isEnding) beside.current = besideRow(currentTarget, everywhere.current);
                    actor.send({ type: 'session.end', id: each.id });
                  }}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
        <div className="sessions-all">
          <span className="settings-section-help">Lost a device? Sign out of all sessions.</span>
          <Button ref={everywhere} danger onClick={() => actor.send({ type: 'everywhere.ask' })}>
            Sign out everywhere
          </Button>
        </div>
      </ListState>
      <ConfirmDialog
        isOpen={snapshot.matches('confirming') || snapshot.matches('endingAll')}
        title="Sign out everywhere"
        act="Sign out everywhere"
        busyAct="Signing out..."
        isBusy={snapshot.matches('endingAll')}
        failure={failure ? failureText(failure) : null}
        onConfirm={() => actor.send({ type: 'everywhere.confirm' })}
        onCancel={() => actor.send({ type: 'everywhere.cancel' })}
      >
        This ends every session, including this one. You’ll need to sign in again.
      </ConfirmDialog>
    </Card>
  );
}

function SessionWords({ session }: { session: ActiveSession }) {
  return (
    <div className="profile-field-words">
      <span className="profile-field-value session-device">
        {session.device ?? 'Unknown device'}
        {session.isCurrent && <Tag color="success">This device</Tag>}
      </span>
      <span className="profile-field-label">
        {nameOf(session.provider)} · signed in <Ago iso={session.signedInAt} /> ·{' '}
        {session.isCurrent ? (
          'in\u00a0use\u00a0now'
        ) : (
          <>
            last used <Ago iso={session.lastUsedAt} />
          </>
        )}
      </span>
    </div>
  );
}
