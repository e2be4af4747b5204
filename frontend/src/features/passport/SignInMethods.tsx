import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, Tag } from 'antd';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { SnapshotFrom } from 'xstate';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { useSignInMethods } from '../../api/account/get.sign-in.methods';
import { HttpError } from '../../api/http';
import { linkingRequest } from '../../api/account/linking.path';
import { queryKeys } from '../../api/cache/query.keys';
import { unlinkMethod } from '../../api/account/unlink.method';
import { Ago } from '../../ui/Ago';
import { EmailText } from '../../ui/EmailText';
import { ListState } from '../../ui/ListState';
import { methodIcons } from '../../ui/method.icons';
import { methodLabel, methodNames, methodPhrase } from '../../ui/method.names';
import { RowsShape } from '../../ui/PageShapes';
import { shortAddress } from '../../ui/short.address';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import type { FreshProofActor } from './fresh.proof.machine';
import { unlinkMachine } from './unlink.machine';

const removals: Record<SignInMethod['provider'], string> = {
  email: 'Remove email sign-in',
  wallet: 'Remove wallet',
  google: 'Remove Google account',
  apple: 'Remove Apple account',
};

const onlyMethod: Record<SignInMethod['provider'], string> = {
  email: 'Your email and password are your only sign-in method',
  wallet: 'This wallet is your only sign-in method',
  google: 'This Google account is your only sign-in method',
  apple: 'This Apple account is your only sign-in method',
};

/** The account's sign-in methods, each with a Remove button, except the last one. */
export function SignInMethods({ proof }: { proof: FreshProofActor }) {
  const { identity } = useConfig();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data, isPending, isFetching, error, refetch } = useSignInMethods();
  const list = useRef<HTMLUListElement>(null);

  const remove = useCallback(
    ({ id }: SignInMethod) => unlinkMethod(identity.baseUrl, id),
    [identity.baseUrl],
  );
  const unlink = useSubmission(unlinkMachine, remove, {
    onDone: (gone) => {
      queryClient.setQueryData<SignInMethod[]>(queryKeys.signInMethods, (methods) =>
        methods?.filter(({ id }) => id !== gone.id),
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.signInMethods });
      void queryClient.invalidateQueries({ queryKey: queryKeys.user });
      showToast({
        tone: 'success',
        title: 'Sign-in Method Removed',
        description: `You can no longer sign in with ${methodPhrase(gone)}.`,
      });
    },
  });
  // The whole snapshot, so that the row is gone when the dialog closes and returns the focus.
  const { context } = useSelector(unlink, (snapshot) => snapshot);
  const method = context.subject;

  // A removal that needs a recent confirmation of the account continues once the panel beside this list has it.
  useEffect(() => {
    const made = proof.on('proof.made', () => {
      if (isUnproven(unlink.getSnapshot())) unlink.send({ type: 'submission.confirm' });
    });
    return () => made.unsubscribe();
  }, [unlink, proof]);

  const isOnly = data?.length === 1;
  const unwanted = useUnwanted(data);
  const isAsked = useRef(false);
  useEffect(() => {
    if (!unwanted || isOnly || isAsked.current) return;
    isAsked.current = true;
    unlink.send({ type: 'submission.open', subject: unwanted });
  }, [unlink, unwanted, isOnly]);

  return (
    <Flex vertical gap={16}>
      {unwanted && isOnly && (
        <Alert
          type="info"
          showIcon
          role="note"
          title={onlyMethod[unwanted.provider]}
          description="Add another one before you remove it."
        />
      )}
      <ListState
        isLoading={isPending}
        error={error}
        errorTitle="Failed to load your sign-in methods"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={data?.length === 0}
        emptyTitle="No sign-in methods to show"
        emptyHelp="Another service manages your account. You can still connect a sign-in method here."
        skeleton={
          <Card>
            <RowsShape count={2} />
          </Card>
        }
      >
        <ul className="rows rows-framed" ref={list} tabIndex={-1} aria-label="Your sign-in methods">
          {data?.map((each) => (
            <li key={each.id}>
              <span className="rows-icon">{methodIcons[each.provider]}</span>
              <div className="rows-words">
                <Flex wrap gap="4px 8px" align="center">
                  <strong>{methodNames[each.provider]}</strong>
                  {each.provider === 'email' && !each.isVerified && <Tag color="warning">Not confirmed</Tag>}
                </Flex>
                <Label method={each} />
                <span className="note">
                  {isOnly ? (
                    'Your only sign-in method. To remove it, add another one first.'
                  ) : (
                    <>
                      Added <Ago iso={each.linkedAt} />
                    </>
                  )}
                </span>
              </div>
              {!isOnly && (
                <Button
                  aria-label={`Remove ${methodLabel(each)}`}
                  onClick={() => unlink.send({ type: 'submission.open', subject: each })}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      </ListState>
      <SubmissionDialog
        actor={unlink}
        isPaused={isUnproven}
        title={method ? removals[method.provider] : 'Remove'}
        act={method ? removals[method.provider] : 'Remove'}
        busyAct="Removing..."
        failureOf={removalSentence}
        focusAfter={list}
        onClosed={() =>
          isUnproven(unlink.getSnapshot()) && proof.send({ type: 'proof.refused', wanted: null })
        }
      >
        {method &&
          `You won’t be able to sign in with ${methodPhrase(method)}. Other sessions started with it will end.`}
      </SubmissionDialog>
    </Flex>
  );
}

/** The method of the 'Disconnect' button that the user clicked on the profile; dropped on a reload and on Back. */
function useUnwanted(methods: SignInMethod[] | undefined): SignInMethod | undefined {
  const { state, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [{ remove }] = useState(() => linkingRequest(state));
  useEffect(() => {
    // A reload or Back must not open the dialog again.
    if (remove) void navigate(`${pathname}${search}`, { replace: true });
  }, [remove, navigate, pathname, search]);
  return useMemo(
    () =>
      remove &&
      methods?.find(
        ({ provider, label }) =>
          provider === remove.provider && label.toLowerCase() === remove.label.toLowerCase(),
      ),
    [remove, methods],
  );
}

function Label({ method: { provider, label } }: { method: SignInMethod }) {
  if (provider === 'wallet') return <code title={label}>{shortAddress(label)}</code>;
  return (
    <span>
      <EmailText email={label} />
    </span>
  );
}

/** Whether the removal failed because the service wants the user to confirm the account first. */
const isUnproven = ({ context: { failure } }: SnapshotFrom<typeof unlinkMachine>): boolean =>
  failure instanceof HttpError && failure.code === 'auth.proofRequired';

/** The sentence for a failed removal. */
function removalSentence(error: unknown): string {
  if (error instanceof HttpError) {
    if (error.code === 'auth.lastMethod')
      return 'This is your only sign-in method. Add another one before you remove it.';
    if (error.code === 'auth.methodNotFound')
      return 'This sign-in method was already removed. Reload the page to see the current list.';
  }
  return failureText(error);
}
