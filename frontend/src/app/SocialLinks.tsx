import type { PublicConfig } from '@orange-id/contract/config.schema';
import { Tooltip } from '../ui/Tooltip';
import { socialLinks } from './links';
import { SocialIcon } from './SocialIcon';
import framelessStyles from './frameless.module.css';
import styles from './social-links.module.css';

/** Icon links to Telegram, X, Discord and the news. */
export function SocialLinks({ config }: { config: PublicConfig }) {
  return (
    <ul className={styles.root} aria-label="Follow us">
      {socialLinks(config).map(({ label, to }) => (
        <li key={label}>
          <Tooltip text={label}>
            <a
              className={framelessStyles.root}
              href={to}
              target="_blank"
              rel="noreferrer"
              aria-label={`${label} (opens in a new tab)`}
            >
              <SocialIcon name={label} />
            </a>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
