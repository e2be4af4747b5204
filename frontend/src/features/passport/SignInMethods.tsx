import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button, Skeleton, Tag } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { useConfig } from '../../api/config.context';
import { failureText } from '../../api/failure.text';
import { useSignInMethods } from '../../api/get.sign-in.methods';
import { HttpError } from '../../api/http';
import { linkingWish } from '../../api/linking.path';
import { queryKeys } from '../../api/query.keys';
import { unlinkMethod } from '../../api/unlink.method';
import { inspected } from '../../inspect/machine.inspect';
import { Ago } from '../../ui/Ago';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmailText } from '../../ui/EmailText';
import { ListState } from '../../ui/ListState';
import { methodLabel, methodNames, methodPhrase } from '../../ui/method.names';
import { shortAddress } from '../../ui/short.address';
import { useToast } from '../../ui/toast';
import type { FreshProofActor } from './fresh.proof.machine';
import { methodIcons } from './method.icons';
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

  const machine = useMemo(
    () =>
      unlinkMachine.provide({
        actors: { removeMethod: fromPromise(({ input }) => unlinkMethod(identity.baseUrl, input.id)) },
      }),
    [identity.baseUrl],
  );
  const unlink = useActorRef(machine, inspected);
  const snapshot = useSelector(unlink, (current) => current);
  const { method, failure } = snapshot.context;

  useEffect(() => {
    const removed = unlink.on('method.removed', ({ method: gone }) => {
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
    });
    return () => removed.unsubscribe();
  }, [unlink, queryClient, showToast]);

  // A removal that requires confirmation continues once the user has confirmed in the panel beside this list.
  useEffect(() => {
    const made = proof.on('proof.made', () => unlink.send({ type: 'proof.made' }));
    return () => made.unsubscribe();
  }, [unlink, proof]);

  const isOnly = data?.length === 1;
  const unwanted = useUnwanted(data);
  const isAsked = useRef(false);
  useEffect(() => {
    if (!unwanted || isOnly || isAsked.current) return;
    isAsked.current = true;
    unlink.send({ type: 'method.remove', method: unwanted });
  }, [unlink, unwanted, isOnly]);

  return (
    <div data-machine="unlink" data-state={snapshot.value}>
      {unwanted && isOnly && (
        <Alert
          type="info"
          showIcon
          role="note"
          className="link-wanted"
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
        skeleton={<MethodsSkeleton />}
      >
        <ul className="methods" ref={list} tabIndex={-1} aria-label="Your sign-in methods">
          {data?.map((each) => (
            <li key={each.id} className="method">
              <span className="method-icon">{methodIcons[each.provider]}</span>
              <div className="method-words">
                <span className="method-name">
                  {methodNames[each.provider]}
                  {each.provider === 'email' && !each.isVerified && <Tag color="warning">Not confirmed</Tag>}
                </span>
                <Label method={each} />
                <span className="method-note">
                  {isOnly ? (
                    'Your only sign-in method. Add another one to remove it.'
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
                  onClick={() => unlink.send({ type: 'method.remove', method: each })}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      </ListState>
      <ConfirmDialog
        isOpen={snapshot.matches('confirming') || snapshot.matches('removing')}
        title={method ? removals[method.provider] : 'Remove'}
        act={method ? removals[method.provider] : 'Remove'}
        busyAct="Removing..."
        isBusy={snapshot.matches('removing')}
        failure={failure ? removalSentence(failure as Error) : null}
        focusAfter={list}
        onClosed={() =>
          unlink.getSnapshot().matches('unproven') && proof.send({ type: 'proof.refused', wanted: null })
        }
        onConfirm={() => unlink.send({ type: 'removal.confirm' })}
        onCancel={() => unlink.send({ type: 'removal.cancel' })}
      >
        {method &&
          `You won’t be able to sign in with ${methodPhrase(method)}. Other sessions started with it will end.`}
      </ConfirmDialog>
    </div>
  );
}

/** The method of the 'Disconnect' button that the user clicked on the profile; dropped on a reload and on Back. */
function useUnwanted(methods: SignInMethod[] | undefined): SignInMethod | undefined {
  const { state, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [{ remove }] = useState(() => linkingWish(state));
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
  if (provider === 'wallet')
    return (
      <code className="method-label" title={label}>
        {shortAddress(label)}
      </code>
    );
  return (
    <span className="method-label">
      <EmailText email={label} />
    </span>
  );
}

/** The sentence for a failed removal. */
function removalSentence(error: Error): string {
  if (error instanceof HttpError) {
    if (error.code === 'auth.lastMethod')
      return 'This is your only sign-in method. Add another one before you remove it.';
    if (error.code === 'auth.methodNotFound')
      return 'This sign-in method was already removed. Reload the page to see the current list.';
  }
  return failureText(error);
}

function MethodsSkeleton() {
  return (
    <div className="methods">
      {[1, 2].map((row) => (
        <div key={row} className="method">
          <Skeleton active avatar={{ size: 36, shape: 'square' }} title={false} paragraph={{ rows: 2 }} />
        </div>
      ))}
    </div>
  );
}
