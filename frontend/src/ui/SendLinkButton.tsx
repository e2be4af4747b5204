import { LoadingOutlined } from '@ant-design/icons';
import { useSelector } from '@xstate/react';
import { useCallback } from 'react';
import { sendConfirmation } from '../api/account/send.confirmation';
import { useConfig } from '../api/config/config.context';
import { confirmationResendMachine } from './confirmation.resend.machine';
import { linksNotSent, linksSent } from './confirmation.text';
import { LightButton } from './LightButton';
import { useToast } from './toast';
import { useSubmission } from './useSubmission';

/** 'Send new link', where a page says that this email isn't confirmed. A toast says what was sent. */
export function SendLinkButton({ email }: { email: string }) {
  const { identity } = useConfig();
  const showToast = useToast();
  const send = useCallback(() => sendConfirmation(identity.baseUrl), [identity.baseUrl]);
  const resend = useSubmission(confirmationResendMachine, send, {
    onDone: () => showToast({ tone: 'success', title: 'Link sent', description: linksSent([email]) }),
    onFailed: (failure) =>
      showToast({ tone: 'error', title: 'Link not sent', description: linksNotSent(failure) }),
  });
  const snapshot = useSelector(resend, (current) => current);
  const isSending = snapshot.hasTag('busy');
  return (
    <LightButton
      size="small"
      data-machine="confirmationResend"
      data-state={snapshot.value}
      aria-disabled={isSending}
      icon={isSending && <LoadingOutlined aria-hidden />}
      onClick={() => resend.send({ type: 'submission.start', subject: null })}
    >
      {isSending ? 'Sending...' : 'Send new link'}
    </LightButton>
  );
}
