import { Alert, Button } from 'antd';
import { formatClock } from '../../ui/time.text';
import './session.css';

interface ExpiryNoticeProps {
  /** Milliseconds since the epoch. */
  endsAt: number;
  isExtending: boolean;
  hasFailed: boolean;
  onExtend: () => void;
}

/** The last minute of a session: when it ends, and the one act that keeps it. Nothing is renewed without the click. */
export function ExpiryNotice({ endsAt, isExtending, hasFailed, onExtend }: ExpiryNoticeProps) {
  const time = formatClock(endsAt);
  return (
    <Alert
      showIcon
      role="alert"
      type="warning"
      className="expiry-notice"
      title={
        hasFailed
          ? `The session could not be extended. It ends at ${time}: try again, or save your work.`
          : `Your session ends at ${time}.`
      }
      action={
        <Button type="primary" loading={isExtending} onClick={onExtend}>
          Stay signed in
        </Button>
      }
    />
  );
}
