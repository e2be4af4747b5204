import { CalendarOutlined, EnvironmentOutlined, MailOutlined, WalletOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { EmailText, TextWithEmails } from '../../ui/EmailText';
import { SendLinkButton } from '../../ui/SendLinkButton';
import { shortAddress } from '../../ui/short.address';
import { absoluteTime, formatDay } from '../../ui/time.text';
import { Tooltip } from '../../ui/Tooltip';
import styles from './profile.module.css';

/** The user's contact details: email, wallet, location and date of registration. */
export function ContactTiles({ user }: { user: IdentityUser | null }) {
  const address = user?.ethAddress?.trim();
  return (
    <dl className={styles.tiles} aria-label="Contact">
      <Tile icon={<MailOutlined aria-hidden />} term="Email" none="Not set" user={user}>
        {user?.email?.trim() && (
          <>
            <EmailText email={user.email.trim()} />
            {user.emailVerified === false && (
              <>
                {' '}
                <Tag color="warning">Not confirmed</Tag>
                {user.confirmedEmail && (
                  <div className="note">
                    <TextWithEmails text={`In use until then: ${user.confirmedEmail}`} />
                  </div>
                )}
                <div className={styles.tilesAct}>
                  <SendLinkButton email={user.email.trim()} />
                </div>
              </>
            )}
          </>
        )}
      </Tile>
      <Tile icon={<WalletOutlined aria-hidden />} term="Wallet" none="Not connected" user={user}>
        {address && <code translate="no">{shortAddress(address)}</code>}
      </Tile>
      <Tile icon={<EnvironmentOutlined aria-hidden />} term="Location" none="Not set" user={user}>
        {user?.country?.trim()}
      </Tile>
      <Tile icon={<CalendarOutlined aria-hidden />} term="Joined" none="Unknown" user={user}>
        {user?.createdAt && (
          <Tooltip text={absoluteTime(user.createdAt)}>
            <time dateTime={user.createdAt}>{formatDay(user.createdAt)}</time>
          </Tooltip>
        )}
      </Tile>
    </dl>
  );
}

interface TileProps {
  icon: ReactNode;
  term: string;
  /** Shown if the user has no value. */
  none: string;
  user: IdentityUser | null;
  children: ReactNode;
}

function Tile({ icon, term, none, user, children }: TileProps) {
  return (
    <div className={`light-card ${styles.tile}`}>
      <dt className="note">
        {icon} {term}
      </dt>
      <dd>
        {user === null ? (
          <span className="skeleton skeleton-line-14" role="status" aria-label="Loading" />
        ) : (
          children || <span className="unset">{none}</span>
        )}
      </dd>
    </div>
  );
}
