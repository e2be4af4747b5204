import { brandMark } from '@orange-id/contract/brand.mark';
import styles from './logo.module.css';

/** The wordmark, 164 × 40, in the theme's colours. */
export function Logo() {
  return (
    <svg
      className={styles.root}
      width={164}
      height={40}
      viewBox="0 0 164 40"
      role="img"
      aria-label="Orange ID"
    >
      <g fill="var(--ant-color-primary)" transform="translate(0 4)">
        <path d={brandMark.orange} fillRule="evenodd" />
        <path d={brandMark.leaf} />
      </g>
      <path d={brandMark.name} fill="var(--ant-color-text)" />
    </svg>
  );
}
