import { Tag } from 'antd';
import { Link } from 'react-router-dom';
import { TextWithEmails } from '../../ui/EmailText';
import { useAccountElsewhere } from '../../api/account/account.elsewhere';

interface EmailStateProps {
  isVerified: boolean;
  /** The confirmed email that stays in use until the shown one is confirmed. */
  usedUntilThen?: string | null | undefined;
}

/** Shows whether the profile's email is confirmed and, if not, how to confirm it. */
export function EmailState({ isVerified, usedUntilThen }: EmailStateProps) {
  const canResend = useAccountElsewhere() === null;
  if (isVerified) return <Tag color="success">Confirmed</Tag>;
  return (
    <>
      <Tag color="warning">Not confirmed</Tag>
      <div className="note">
        {canResend ? (
          <Link to="#confirm-email">Confirm it under Sign-in</Link>
        ) : (
          <span>Check your inbox for a confirmation link.</span>
        )}
      </div>
      {usedUntilThen && (
        <div className="note">
          <TextWithEmails
            text={`Until then, ${usedUntilThen} stays in use. To keep it, enter it here again.`}
          />
        </div>
      )}
    </>
  );
}
