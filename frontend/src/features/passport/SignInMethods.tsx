import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Button, Skeleton, Tag } from 'antd';
import { useEffect, useMemo, useRef } from 'react';
import { fromPromise } from 'xstate';
import { useConfig } from '../../api/config.context';
import { failureText } from '../../api/failure.text';
import { useSignInMethods } from '../../api/get.sign-in.methods';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/query.keys';
import { unlinkMethod } from '../../api/unlink.method';
import { inspected } from '../../inspect/machine.inspect';
import { Ago } from '../../ui/Ago';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmailText } from '../../ui/EmailText';
import { ListState } from '../../ui/ListState';
import { methodLabel, methodNames } from '../../ui/method.names';
import { shortAddress } from '../../ui/short.address';
import { useToast } from '../../ui/toast';
import type { FreshProofActor } from './fresh.proof.machine';
import { methodIcons } from './method.icons';
import { unlinkMachine } from './unlink.machine';

/** The ways to sign in that the account has, each with what takes it away; the last one stays. */
export function SignInMethods({ proof }: { proof: FreshProofActor }) {
  const { identity } = useConfig();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data, isPending, error, refetch } = useSignInMethods();
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
        title: 'Removed',
        description: `${methodLabel(gone)} no longer signs you in.`,
      });
    });
    return () => removed.unsubscribe();
  }, [unlink, queryClient, showToast]);

  // What was to be removed waits for the proof beside this list, and is removed then.
  useEffect(() => {
    const made = proof.on('proof.made', () => unlink.send({ type: 'proof.made' }));
    return () => made.unsubscribe();
  }, [unlink, proof]);

  const isOnly = data?.length === 1;
  return (
    <div data-machine="unlink" data-state={snapshot.value}>
      <ListState
        isLoading={isPending}
        error={error}
        errorTitle="Your ways to sign in could not be loaded"
        onRetry={() => void refetch()}
        isEmpty={data?.length === 0}
        emptyTitle="No way to sign in is known here"
        emptyHelp="Your account is kept elsewhere. You can add a way to sign in beside this list."
        skeleton={<MethodsSkeleton />}
      >
        <ul className="methods" ref={list} tabIndex={-1} aria-label="Your ways to sign in">
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
                    'Your only way to sign in. Add another one to remove it.'
                  ) : (
                    <>
                      Added <Ago iso={each.linkedAt} />
                    </>
                  )}
                </span>
              </div>
              <Button
                disabled={isOnly}
                aria-label={`Remove ${methodLabel(each)}`}
                onClick={() => unlink.send({ type: 'method.remove', method: each })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </ListState>
      <ConfirmDialog
        isOpen={snapshot.matches('confirming') || snapshot.matches('removing')}
        title={method ? `Remove ${methodNames[method.provider]}` : 'Remove'}
        act={method ? `Remove ${methodNames[method.provider]}` : 'Remove'}
        busyAct="Removing..."
        isBusy={snapshot.matches('removing')}
        failure={failure ? removalSentence(failure as Error) : null}
        focusAfter={list}
        onClosed={() => unlink.getSnapshot().matches('unproven') && proof.send({ type: 'proof.refused' })}
        onConfirm={() => unlink.send({ type: 'removal.confirm' })}
        onCancel={() => unlink.send({ type: 'removal.cancel' })}
      >
        {method && `${methodLabel(method)} will no longer sign you in, and other sessions begun with it end.`}
      </ConfirmDialog>
    </div>
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

/** Why a removal failed, in this page's words where it has some. */
function removalSentence(error: Error): string {
  if (error instanceof HttpError) {
    if (error.code === 'auth.lastMethod')
      return 'This is your only way to sign in. Add another one before you remove it.';
    if (error.code === 'auth.methodNotFound')
      return 'It was removed already. Reload this page to see what is left.';
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
