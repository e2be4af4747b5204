import { deletionWord } from '@orange-id/contract/leaving.schema';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, Input, Typography } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { useAccountElsewhere } from '../../api/account/account.elsewhere';
import { deleteAccount } from '../../api/account/delete.account';
import { getFreshProof } from '../../api/account/get.fresh.proof';
import { isDeletionConfirmed, linkingPath, type LinkingRequest } from '../../api/account/linking.path';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { useAuth } from '../../api/session/auth.context';
import { inspected } from '../../inspect/machine.inspect';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { KeptElsewhere } from '../../ui/KeptElsewhere';
import { LinkButton } from '../../ui/LinkButton';
import { formatDay } from '../../ui/time.text';
import { useToast } from '../../ui/toast';
import { deleteAccountMachine } from './delete.account.machine';
import { SettingsSection } from './SettingsSection';

const days = limits.deletedAccountKeptDays;

/** Deletes the account, or says which service manages it. */
export function DeleteAccount() {
  const { identity } = useConfig();
  const keptAt = useAccountElsewhere();
  const isHosted = new URL(identity.baseUrl).origin !== window.location.origin;
  return (
    <SettingsSection title="Delete account">
      <Card>
        {isHosted ? (
          <KeptElsewhere address={identity.baseUrl} path={keptAt ? '/settings' : '/'}>
            Sign in there to delete your account.
          </KeptElsewhere>
        ) : (
          <OwnDeletion />
        )}
      </Card>
    </SettingsSection>
  );
}

function OwnDeletion() {
  const { identity } = useConfig();
  const { logout } = useAuth();
  const showToast = useToast();
  const [machine] = useState(() =>
    deleteAccountMachine.provide({
      actors: {
        readProof: fromPromise(
          async ({ signal }) => (await getFreshProof(identity.baseUrl, signal)).provenUntil !== null,
        ),
        deleteAccount: fromPromise(async () => {
          const { deletesAt } = await deleteAccount();
          // Here, because the end of the session may close this page before it hears of the outcome.
          showToast({
            tone: 'success',
            title: 'Account Deleted',
            description: `To keep it, sign in before ${formatDay(deletesAt)}.`,
          });
        }),
      },
    }),
  );
  const deletion = useActorRef(machine, inspected);
  const snapshot = useSelector(deletion, (current) => current);
  const [word, setWord] = useState('');
  const cancel = useRef<HTMLButtonElement>(null);

  const leave = useEffectEvent(logout);
  useEffect(() => {
    const deleted = deletion.on('account.deleted', () => leave());
    return () => deleted.unsubscribe();
  }, [deletion]);
  useReopened(() => deletion.send({ type: 'deletion.open' }));

  const { failure, isWordWrong } = snapshot.context;
  const isUnproven = snapshot.matches('unproven');
  const confirm = () => deletion.send({ type: 'deletion.confirm', word });
  return (
    <Flex
      wrap
      gap="8px 16px"
      align="center"
      justify="space-between"
      data-machine="deleteAccount"
      data-state={snapshot.value}
    >
      <Typography.Text type="secondary">
        You have {days} days to change your mind. Then it can’t be undone.
      </Typography.Text>
      <Button
        danger
        aria-disabled={snapshot.hasTag('busy')}
        onClick={() => {
          setWord('');
          deletion.send({ type: 'deletion.open' });
        }}
      >
        Delete account
      </Button>
      <Dialog
        isOpen={isUnproven}
        title="Confirm it’s you first"
        width={440}
        onOpened={() => cancel.current?.focus()}
        onCancel={() => deletion.send({ type: 'deletion.cancel' })}
        footer={
          <Flex wrap gap={8} justify="end">
            <Button ref={cancel} onClick={() => deletion.send({ type: 'deletion.cancel' })}>
              Cancel
            </Button>
            <LinkButton
              type="primary"
              to={linkingPath}
              state={{ from: '/settings', confirm: 'deletion' } satisfies LinkingRequest}
            >
              Confirm it’s you
            </LinkButton>
          </Flex>
        }
      >
        <Typography.Paragraph>
          To delete your account, you must have signed in or confirmed it’s you within the last{' '}
          {waitInWords(limits.freshProofSeconds)}.
        </Typography.Paragraph>
      </Dialog>
      <ConfirmDialog
        isOpen={snapshot.hasTag('open') && !isUnproven}
        isBusy={snapshot.hasTag('busy')}
        isForm
        title="Delete account"
        act="Delete account"
        busyAct="Deleting..."
        failure={failure ? failureText(failure) : null}
        onConfirm={confirm}
        onCancel={() => deletion.send({ type: 'deletion.cancel' })}
      >
        <Flex vertical gap={16}>
          <Consequences />
          <Field
            label={`Type “${deletionWord}” to delete your account`}
            error={isWordWrong ? `Type the word ${deletionWord}.` : null}
          >
            {(control) => (
              <Input
                {...control}
                value={word}
                autoComplete="off"
                autoCapitalize="none"
                disabled={snapshot.hasTag('busy')}
                onChange={({ target }) => setWord(target.value)}
                onPressEnter={confirm}
              />
            )}
          </Field>
        </Flex>
      </ConfirmDialog>
    </Flex>
  );
}

function Consequences() {
  return (
    <>
      <Alert
        type="warning"
        showIcon
        role="note"
        title="Right away"
        description="All sessions end. Your API keys stop working, and nobody can sign in to the apps of your projects."
      />
      <Typography.Text>
        <strong>For {days} days</strong> you can sign in and keep your account. Everything then works as
        before.
      </Typography.Text>
      <Typography.Text>
        <strong>After {days} days</strong> your profile, photo, sign-in methods, projects, API keys, usage
        totals and connected apps are removed. Your email and wallets can be used for a new account.
      </Typography.Text>
      <Typography.Text>
        <strong>What stays:</strong> your posts and replies in the community, under “Deleted user”, and
        records of single calls without your name, until they expire.
      </Typography.Text>
    </>
  );
}

/** Opens the dialog again when the user comes back from confirming, but not after a reload or Back. */
function useReopened(open: () => void): void {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const isConfirmed = isDeletionConfirmed(state);
  const reopen = useEffectEvent(open);
  useEffect(() => {
    if (!isConfirmed) return;
    void navigate(pathname, { replace: true });
    reopen();
  }, [isConfirmed, navigate, pathname]);
}
