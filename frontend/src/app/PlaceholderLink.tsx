import { Tooltip } from '../ui/Tooltip';
import styles from './placeholder-link.module.css';

/** The tooltip and note of links without a target. */
export const notPublished = 'Not published yet';

/** A link without a target yet: it says so, looks different from a real link, and does nothing. */
export function PlaceholderLink({ children }: { children: string }) {
  return (
    <Tooltip text={notPublished}>
      <a className={styles.root} role="link" aria-disabled="true" tabIndex={0}>
        {children}
      </a>
    </Tooltip>
  );
}
