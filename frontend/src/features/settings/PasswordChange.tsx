import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Button, Flex } from 'antd';
import { useEffect, useMemo, useRef } from 'react';
import { fromPromise } from 'xstate';
import { changePassword } from '../../api/account/change.password';
import { useConfig } from '../../api/config/config.context';
import { queryKeys } from '../../api/cache/query.keys';
import { replaceTokens } from '../../api/session/token.replacement';
import { inspected } from '../../inspect/machine.inspect';
import { EmailText } from '../../ui/EmailText';
import { useToast } from '../../ui/toast';
import { passwordChangeMachine } from './password.change.machine';
import { PasswordForm } from './PasswordForm';

/** The password of the email method. Changing it ends all other sessions; this one continues with new tokens. */
export function PasswordChange({ email }: { email: string }) {
  const { identity } = useConfig();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const opener = useRef<HTMLButtonElement>(null);

  const machine = useMemo(
    () =>
      passwordChangeMachine.provide({
        actors: {
          changePassword: fromPromise(({ input }) =>
            replaceTokens(async () => (await changePassword(identity.baseUrl, input)).token),
          ),
        },
      }),
    [identity.baseUrl],
  );
  const actor = useActorRef(machine, inspected);
  const snapshot = useSelector(actor, (current) => current);
  const isClosed = snapshot.can({ type: 'form.open' });

  useEffect(() => {
    const changed = actor.on('password.changed', () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.activeSessions });
      void queryClient.invalidateQueries({ queryKey: queryKeys.accountChanges });
      showToast({
        tone: 'success',
        title: 'Password Changed',
        description: 'You’re still signed in here. All other sessions have ended.',
      });
    });
    return () => changed.unsubscribe();
  }, [actor, queryClient, showToast]);

  const wasClosed = useRef(isClosed);
  useEffect(() => {
    if (isClosed && !wasClosed.current) opener.current?.focus();
    wasClosed.current = isClosed;
  }, [isClosed]);

  return (
    <Flex
      wrap
      gap="8px 16px"
      align="center"
      justify="space-between"
      data-machine="passwordChange"
      data-state={snapshot.value}
    >
      {isClosed ? (
        <>
          <Flex vertical flex="0 1 auto" className="rows-words">
            <span className="note">Password</span>
            <strong>
              For <EmailText email={email} />
            </strong>
          </Flex>
          <Button ref={opener} onClick={() => actor.send({ type: 'form.open' })}>
            Change password
          </Button>
        </>
      ) : (
        <PasswordForm
          email={email}
          isChanging={snapshot.hasTag('busy')}
          failure={snapshot.context.failure}
          onSubmit={(change) => actor.send({ type: 'password.submit', change })}
          onCancel={() => actor.send({ type: 'form.cancel' })}
        />
      )}
    </Flex>
  );
}
