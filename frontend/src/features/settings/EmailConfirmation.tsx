import { LoadingOutlined } from '@ant-design/icons';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button } from 'antd';
import { useMemo } from 'react';
import { fromPromise } from 'xstate';
import { useConfig } from '../../api/config.context';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { sendConfirmation } from '../../api/send.confirmation';
import { inspected } from '../../inspect/machine.inspect';
import { GoTo } from '../../ui/GoTo';
import { confirmationResendMachine } from './confirmation.resend.machine';
import { useReadUntilConfirmed } from './useReadAgain';

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
  useReadUntilConfirmed(addresses.length > 0);
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
              ? `We sent a new link to ${addresses.join(' and ')}. It works once and expires in a day.`
              : `Open the link we sent to ${addresses.join(' and ')}. Until you confirm it, it can’t be used to recover this account.`}
          </span>
          {features.mailbox && (
            <GoTo to="/dev/mailbox" isExternal>
              Open the development mailbox
            </GoTo>
          )}
          {context.failure !== null && <span role="alert">{sentenceOf(context.failure as Error)}</span>}
          <Button
            // Not disabled, which would take the focus away; meanwhile a press does nothing.
            aria-disabled={isSending}
            icon={isSending && <LoadingOutlined aria-hidden />}
            onClick={() => resend.send({ type: 'link.request' })}
          >
            {isSending ? 'Sending...' : 'Resend link'}
          </Button>
        </div>
      }
    />
  );
}

function sentenceOf(error: Error): string {
  if (error instanceof HttpError) {
    if (error.code === 'request.rateLimited') return 'Too many links requested. Try again later.';
    if (error.code === 'auth.mailNotConfigured') {
      return 'This portal can’t send email yet: its operator has to set SMTP_URL.';
    }
  }
  return failureText(error);
}
