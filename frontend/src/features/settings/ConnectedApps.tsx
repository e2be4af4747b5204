import { AppstoreOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { ConnectedApp } from '@orange-id/contract/tenant.schema';
import { claimNames, tenantClaims, type TenantClaim } from '@orange-id/contract/tenant.claims';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Button, Card, Checkbox, Flex, Typography } from 'antd';
import { Fragment, useRef, useState } from 'react';
import { changeApp, disconnectApp, useConnectedApps } from '../../api/account/connected.apps';
import { queryKeys } from '../../api/cache/query.keys';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { VanishedError } from '../../api/vanished.error';
import { Ago } from '../../ui/Ago';
import { ListState } from '../../ui/ListState';
import { OriginText } from '../../ui/OriginText';
import { RowsShape } from '../../ui/PageShapes';
import { besideRow } from '../../ui/row.focus';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import type { SubmissionActor } from '../../ui/submission';
import { type AppChange, changeAppMachine, disconnectAppMachine } from './connected.apps.machine';
import { SettingsSection } from './SettingsSection';
import styles from './settings.module.css';

/** The apps that the user signs in to. A hosted identity service has its own. */
export function ConnectedApps({ user }: { user: IdentityUser }) {
  const { identity } = useConfig();
  if (new URL(identity.baseUrl).origin !== window.location.origin) return null;
  return (
    <SettingsSection
      title="Connected apps"
      help="Apps that you sign in to with Orange ID. Each always gets an ID for you, used nowhere else, and your sign-in method. Apps on this computer ask each time."
    >
      <AppList user={user} />
    </SettingsSection>
  );
}

/** What there is for an app to see. */
const valuesOf = (user: IdentityUser): Record<TenantClaim, unknown> => ({
  name: user.displayName,
  picture: user.picture,
  email: user.emailVerified ? user.email : user.confirmedEmail,
  wallet: user.ethAddress,
});

const isGone = (error: unknown) => error instanceof HttpError && error.code === 'auth.appNotFound';

const sendChange = ({ app, claims }: AppChange): Promise<void> =>
  changeApp(app.id, { claims: [...claims] }).catch((error: unknown) => {
    throw isGone(error) ? new VanishedError('app') : error;
  });

/** Resolves also if the app is already disconnected, in another tab. */
const sendDisconnection = ({ id }: ConnectedApp): Promise<void> =>
  disconnectApp(id).catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });

function AppList({ user }: { user: IdentityUser }) {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data, isPending, isFetching, error, refetch } = useConnectedApps();
  const list = useRef<HTMLDivElement>(null);
  const beside = useRef<(() => HTMLElement | null) | null>(null);
  const readAgain = () => queryClient.invalidateQueries({ queryKey: queryKeys.connectedApps });
  const change = useSubmission(changeAppMachine, sendChange, {
    onDone: ({ app }) => {
      showToast({ tone: 'success', title: 'Saved', description: `You changed what ${app.name} sees.` });
      void readAgain();
    },
    onFailed: () => void readAgain(),
  });
  const disconnection = useSubmission(disconnectAppMachine, sendDisconnection, {
    onDone: ({ name }) => {
      showToast({ tone: 'success', title: 'App Disconnected', description: `You’re signed out of ${name}.` });
    },
  });
  const disconnecting = useSelector(disconnection, ({ context }) => context.subject);
  const [chosen, setChosen] = useState<readonly TenantClaim[]>([]);

  return (
    <Card ref={list} tabIndex={-1}>
      <ListState
        isLoading={isPending}
        error={error}
        errorTitle="Failed to load your connected apps"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={data?.length === 0}
        emptyTitle="No connected apps"
        emptyHelp="Apps you sign in to with Orange ID appear here."
        skeleton={<RowsShape />}
      >
        <ul className="rows" aria-label="Connected apps">
          {data?.map((app) => (
            <li key={app.id}>
              <AppstoreOutlined className="rows-icon" aria-hidden />
              <Flex wrap flex={1} gap="8px 12px" align="center" justify="end" className={styles.app}>
                <AppTexts app={app} />
                <Flex gap={8}>
                  <Button
                    aria-label={`Change what ${app.name} sees`}
                    onClick={() => {
                      setChosen(app.claims);
                      change.send({ type: 'submission.open', subject: { app, claims: app.claims } });
                    }}
                  >
                    Change
                  </Button>
                  <Button
                    danger
                    aria-label={`Disconnect ${app.name}`}
                    onClick={({ currentTarget }) => {
                      beside.current = besideRow(currentTarget, list.current);
                      disconnection.send({ type: 'submission.open', subject: app });
                    }}
                  >
                    Disconnect
                  </Button>
                </Flex>
              </Flex>
            </li>
          ))}
        </ul>
      </ListState>
      <ChangeDialog actor={change} user={user} chosen={chosen} onChoose={setChosen} />
      <SubmissionDialog
        actor={disconnection}
        title={disconnecting ? `Disconnect ${disconnecting.name}` : 'Disconnect app'}
        act="Disconnect"
        busyAct="Disconnecting..."
        failureOf={failureText}
        onClosed={() => {
          if (!disconnection.getSnapshot().hasTag('done')) return;
          // The refetch removes the row, so the focus moves first.
          beside.current?.()?.focus();
          void readAgain();
        }}
      >
        This signs you out of the app and hides your data from it at once. Its own servers may accept the
        token it has for up to an hour, and it may keep what it has already learned.
      </SubmissionDialog>
    </Card>
  );
}

function ChangeDialog({
  actor,
  user,
  chosen,
  onChoose,
}: {
  actor: SubmissionActor<AppChange, 'app'>;
  user: IdentityUser;
  chosen: readonly TenantClaim[];
  onChoose: (claims: readonly TenantClaim[]) => void;
}) {
  const app = useSelector(actor, ({ context }) => context.subject?.app);
  const values = valuesOf(user);
  const claims = tenantClaims.filter((claim) => values[claim] || app?.claims.includes(claim));
  return (
    <SubmissionDialog
      actor={actor}
      title={app ? `Change what ${app.name} sees` : 'Change what the app sees'}
      act="Save"
      busyAct="Saving..."
      isDangerous={false}
      isForm
      failureOf={failureText}
      goneWords={{ app: 'You’re no longer connected to this app.' }}
      onConfirm={() => app && actor.send({ type: 'submission.confirm', subject: { app, claims: chosen } })}
    >
      <Typography.Paragraph>
        {claims.length === 0
          ? 'Your account has no name, photo, confirmed email or wallet that this app could see.'
          : `${app?.name} sees only what is checked. It may keep what it has already learned.`}
      </Typography.Paragraph>
      <Flex vertical gap={8} role="group" aria-label={`What ${app?.name} can see`}>
        {claims.map((claim) => (
          <Checkbox
            key={claim}
            checked={chosen.includes(claim)}
            onChange={({ target: { checked } }) =>
              onChoose(checked ? [...chosen, claim] : chosen.filter((each) => each !== claim))
            }
          >
            {claimNames[claim]}
          </Checkbox>
        ))}
      </Flex>
    </SubmissionDialog>
  );
}

function AppTexts({ app }: { app: ConnectedApp }) {
  const { name, previousName, origins, site, connectedAt, lastUsedAt, claims } = app;
  const seen = tenantClaims
    .filter((claim) => claims.includes(claim))
    .map((claim) => claimNames[claim].toLowerCase());
  return (
    <div className={`rows-words ${styles.appTexts}`}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      {previousName !== null && (
        <span className="note">
          Renamed from <bdi>{previousName}</bdi>
        </span>
      )}
      <span className="note">
        <span>{origins.length === 0 ? 'Signed out · ' : 'Signed in at '}</span>
        {(origins.length === 0 ? [site] : origins).map((origin, index) => (
          <Fragment key={origin}>
            {index > 0 && <span>, </span>}
            <OriginText origin={origin} />
          </Fragment>
        ))}
      </span>
      <span className="note">
        Sees{' '}
        <span>
          {seen.length === 0 ? 'only your ID' : `your ${new Intl.ListFormat('en-GB').format(seen)}`}
        </span>{' '}
        · first connected <Ago iso={connectedAt} /> · last used <Ago iso={lastUsedAt} />
      </span>
    </div>
  );
}
