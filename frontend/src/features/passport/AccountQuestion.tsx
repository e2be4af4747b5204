import { QuestionCircleFilled } from '@ant-design/icons';
import type { AccountPreview, ProvenIdentifier } from '@orange-id/contract/identity.schema';
import { Button, Flex, Typography } from 'antd';
import { EmailText } from '../../ui/EmailText';
import { methodIcons } from '../../ui/method.icons';
import { methodNames } from '../../ui/method.names';
import { formatDay } from '../../ui/time.text';
import type { CallbackQuestion } from './callback.machine';
import styles from './passport.module.css';

interface AccountQuestionProps {
  question: CallbackQuestion;
  onAccept: () => void;
  onRefuse: () => void;
}

/**
 * Asks the user to confirm the account of a sign-in that this tab did not start. It shows only verified identifiers of
 * that account: an attacker could have typed the user's own name or email into the attacker's profile.
 */
export function AccountQuestion({ question, onAccept, onRefuse }: AccountQuestionProps) {
  const { account, replaced } = question;
  return (
    <>
      <Typography.Text type="warning" className={styles.callbackIcon}>
        <QuestionCircleFilled aria-hidden />
      </Typography.Text>
      <h1>Is this your account?</h1>
      <div id="callback-question" className={`stack ${styles.callbackQuestion}`}>
        <p>
          This sign-in didn’t start in this tab. If you didn’t start it yourself, choose “Not me”. Someone may
          be trying to sign you in to their account.
        </p>
        {account.identifiers.length > 0 ? (
          <>
            <p>If you continue, you’ll be signed in to the account for:</p>
            <Identifiers account={account} />
          </>
        ) : (
          <p>
            {`If you continue, you’ll be signed in to an account without a confirmed email address or wallet${
              account.createdAt === null ? '' : `, created on ${formatDay(account.createdAt)}`
            }.`}
          </p>
        )}
        {replaced === 'same' && <p>You’re already signed in to this account.</p>}
        {replaced !== null && replaced !== 'same' && (
          <>
            <p>
              {replaced.identifiers.length > 0
                ? 'You’ll be signed out of the account for:'
                : 'You’ll be signed out of your current account.'}
            </p>
            {replaced.identifiers.length > 0 && <Identifiers account={replaced} />}
          </>
        )}
      </div>
      <Flex wrap gap={12} justify="center">
        <Button size="large" autoFocus aria-describedby="callback-question" onClick={onRefuse}>
          Not me
        </Button>
        <Button size="large" type="primary" onClick={onAccept}>
          Continue
        </Button>
      </Flex>
    </>
  );
}

function Identifiers({ account }: { account: AccountPreview }) {
  return (
    <ul className="rows rows-framed">
      {account.identifiers.map((each) => (
        <li key={`${each.provider} ${each.label}`}>
          <span className="rows-icon">{methodIcons[each.provider]}</span>
          <div className="rows-words">
            <strong>{methodNames[each.provider]}</strong>
            <Label {...each} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A wallet address is shown whole, because addresses with the same start and end are easy to generate. */
function Label({ provider, label }: ProvenIdentifier) {
  if (label === null) return null;
  if (provider === 'wallet') return <code>{label}</code>;
  return (
    <span>
      <EmailText email={label} />
    </span>
  );
}
