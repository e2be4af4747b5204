import { LoadingOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button } from 'antd';
import { useEffect, useMemo } from 'react';
import { fromPromise } from 'xstate';
import { useConfig } from '../../api/config.context';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/query.keys';
import { sendConfirmation } from '../../api/send.confirmation';
import { inspected } from '../../inspect/machine.inspect';
import { GoTo } from '../../ui/GoTo';
import { confirmationResendMachine } from './confirmation.resend.machine';

/** 'Confirm your email', for as long as an address of the account is not confirmed. Nothing waits for it. */
export function EmailConfirmation({ addresses }: { addresses: string[] }) {
  const { identity, features } = useConfig();
  const machine = useMemo(
    () =>
      confirmationResendMachine.provide({
        actors: {
          requestLink: fromPromise<void>(async () => {
            await sendConfirmation(identity.baseUrl);
          }),
        },
      }),
    [identity.baseUrl],
  );
  const resend = useActorRef(machine, inspected);
  const { value, context } = useSelector(resend, (snapshot) => snapshot);
  useReadAgainWhenShown(addresses.length > 0);
  if (addresses.length === 0) return null;
  const isSending = value === 'sending';

  return (
    <Alert
      type="warning"
      showIcon
      role="note"
      className="email-confirmation"
      title="Confirm your email"
      description={
        <div className="email-confirmation-words" data-machine="confirmationResend" data-state={value}>
          <span role="status">
            {value === 'sent'
              ? `A link is on its way to ${addresses.join(' and ')}. It works once, within a day.`
              : `Open the link we sent to ${addresses.join(' and ')}. Until then it cannot bring you back into this account.`}
          </span>
          {features.mailbox && (
            <GoTo to="/dev/mailbox" isExternal>
              This portal keeps its mail at /dev/mailbox
            </GoTo>
          )}
          {context.failure !== null && <span role="alert">{sentenceOf(context.failure as Error)}</span>}
          <Button
            disabled={isSending}
            icon={isSending && <LoadingOutlined aria-hidden />}
            onClick={() => resend.send({ type: 'link.request' })}
          >
            {isSending ? 'Sending...' : 'Send it again'}
          </Button>
        </div>
      }
    />
  );
}

/** The link is opened in another tab: coming back from there, the account is read again. */
function useReadAgainWhenShown(isWaiting: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isWaiting) return;
    const onShown = () => {
      if (document.visibilityState !== 'visible') return;
      void queryClient.invalidateQueries({ queryKey: queryKeys.user });
      void queryClient.invalidateQueries({ queryKey: queryKeys.signInMethods });
    };
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, [isWaiting, queryClient]);
}

function sentenceOf(error: Error): string {
  if (error instanceof HttpError) {
    if (error.code === 'request.rateLimited') return 'Too many links were asked for. Try again later.';
    if (error.code === 'auth.mailNotConfigured') {
      return 'This portal cannot send mail: whoever runs it has to set SMTP_URL first.';
    }
  }
  return failureText(error);
}
