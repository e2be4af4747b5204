import { Tag } from 'antd';
import { useAccountElsewhere } from '../../api/account.elsewhere';

/** Shows whether the profile's email is confirmed and, if not, how to confirm it. */
export function EmailState({ isVerified }: { isVerified: boolean }) {
  const canResend = useAccountElsewhere() === null;
  if (isVerified) return <Tag color="success">Confirmed</Tag>;
  return (
    <>
      <Tag color="warning">Not confirmed</Tag>
      <span className="profile-field-note">
        Use the link in our email{canResend && ', or resend it under Sign-in'}.
      </span>
    </>
  );
}
