import { Tag } from 'antd';
import { useAccountElsewhere } from '../../api/account/account.elsewhere';

/** Shows whether the profile's email is confirmed and, if not, how to confirm it. */
export function EmailState({ isVerified }: { isVerified: boolean }) {
  const canResend = useAccountElsewhere() === null;
  if (isVerified) return <Tag color="success">Confirmed</Tag>;
  return (
    <>
      <Tag color="warning">Not confirmed</Tag>
      <div className="note">
        {canResend ? 'Confirm it under Sign-in.' : 'Check your inbox for a confirmation link.'}
      </div>
    </>
  );
}
