import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { Alert, Flex } from 'antd';
import { Link } from 'react-router-dom';
import { TextWithEmails } from '../../ui/EmailText';
import { SendLinkButton } from '../../ui/SendLinkButton';

/**
 * Says that an email with a link is on its way while the user's email isn't confirmed. Registering with an email always
 * sends one; another account may have entered its email on a portal that sends none.
 */
export function ConfirmationNote({ user: { email, emailVerified, provider } }: { user: IdentityUser }) {
  if (!email || emailVerified !== false) return null;
  return (
    <Alert
      type="info"
      showIcon
      role="note"
      title={
        <TextWithEmails
          text={
            provider === 'email'
              ? `We sent a confirmation link to ${email}.`
              : `Check the inbox of ${email} for a confirmation link.`
          }
        />
      }
      description={
        <Flex vertical gap={8} align="start">
          <span>
            You can create a project without it. If it hasn’t arrived, send a new one here or in{' '}
            <Link to="/settings#confirm-email">Settings</Link>.
          </span>
          <SendLinkButton email={email} />
        </Flex>
      }
    />
  );
}
