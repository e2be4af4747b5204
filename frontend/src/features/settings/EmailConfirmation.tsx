import { LoadingOutlined } from '@ant-design/icons';
import { useSelector } from '@xstate/react';
import { Alert, Button, Flex } from 'antd';
import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { useConfig } from '../../api/config/config.context';
import { sendConfirmation } from '../../api/account/send.confirmation';
import { confirmationResendMachine } from '../../ui/confirmation.resend.machine';
import { linksNotSent, linksSent } from '../../ui/confirmation.text';
import { TextWithEmails } from '../../ui/EmailText';
import { GoTo } from '../../ui/GoTo';
import { useSubmission } from '../../ui/useSubmission';
import { useReadUntilConfirmed } from './useReadUntilConfirmed';

/**
 * Names one or two emails, because the profile's may differ from the one that the user signs in with. The sentence
 * doesn't claim that a link was sent, because a portal without SMTP_URL sent none.
 */
function openSentence([email, other]: readonly string[]): string {
  return other === undefined
    ? `Check the inbox of ${email} for a confirmation link. If it hasn’t arrived or has expired, request a new one.`
    : `Check the inboxes of ${email} and ${other} for confirmation links. If one hasn’t arrived or has expired, request new ones.`;
}

/** 'Confirm your email address', shown until the account's one or two emails are confirmed. */
export function EmailConfirmation({ addresses }: { addresses: string[] }) {
  const { identity, features } = useConfig();
  const send = useCallback(() => sendConfirmation(identity.baseUrl), [identity.baseUrl]);
  const resend = useSubmission(confirmationResendMachine, send);
  const snapshot = useSelector(resend, (current) => current);
  const { failure } = snapshot.context;
  useReadUntilConfirmed(addresses.length > 0);
  const { hash } = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  // 'Confirm email' elsewhere leads here. The router can't scroll, because the email loads after the page.
  useEffect(() => {
    if (hash !== '#confirm-email') return;
    button.current?.scrollIntoView({ block: 'center' });
    button.current?.focus({ preventScroll: true });
  }, [hash]);
  if (addresses.length === 0) return null;
  const isSending = snapshot.hasTag('busy');

  return (
    <Alert
      type="warning"
      showIcon
      role="note"
      title="Confirm your email address"
      description={
        <Flex vertical gap={8} data-machine="confirmationResend" data-state={snapshot.value}>
          <span role="status">
            <TextWithEmails text={snapshot.hasTag('done') ? linksSent(addresses) : openSentence(addresses)} />
          </span>
          {features.mailbox && (
            <GoTo to="/dev/mailbox" isExternal>
              Open the development mailbox
            </GoTo>
          )}
          {failure !== null && <span role="alert">{linksNotSent(failure)}</span>}
          <Button
            ref={button}
            style={{ alignSelf: 'start' }}
            // Not `disabled`, which would drop the focus; the machine ignores clicks during the request.
            aria-disabled={isSending}
            icon={isSending && <LoadingOutlined aria-hidden />}
            onClick={() => resend.send({ type: 'submission.start', subject: null })}
          >
            {isSending ? 'Sending...' : addresses.length > 1 ? 'Send new links' : 'Send new link'}
          </Button>
        </Flex>
      }
    />
  );
}
