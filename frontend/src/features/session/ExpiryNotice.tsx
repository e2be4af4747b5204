import { WarningFilled } from '@ant-design/icons';
import { LightButton } from '../../ui/LightButton';
import { formatClock } from '../../ui/time.text';
import styles from './session.module.css';

interface ExpiryNoticeProps {
  /** Milliseconds since the epoch. */
  endsAt: number;
  isExtending: boolean;
  hasFailed: boolean;
  onExtend: () => void;
}

/** The notice in the last minute of a session: its end, and a button that extends it. Only a click extends it. */
export function ExpiryNotice({ endsAt, isExtending, hasFailed, onExtend }: ExpiryNoticeProps) {
  const time = formatClock(endsAt);
  return (
    <div className={styles.root} role="alert">
      <WarningFilled className={styles.mark} aria-hidden />
      <span className={styles.words}>
        {hasFailed
          ? `We couldn’t extend your session. It ends at ${time}. Try again or save your work.`
          : `Your session ends at ${time}.`}
      </span>
      <LightButton type="primary" disabled={isExtending} aria-busy={isExtending} onClick={onExtend}>
        Stay signed in
      </LightButton>
    </div>
  );
}
