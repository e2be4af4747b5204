import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton';
import styles from './copy-value.module.css';

interface CopyValueProps {
  value: string;
  /** Displayed instead of `value`. */
  shown?: string;
  /** Names the value for the copy button, such as `project id`. */
  label: string;
  /** Further buttons, before the copy button. */
  children?: ReactNode;
  onCopied?: () => void;
}

/** A framed value with a copy button that shows 'Copied!' for 1.5 s. */
export function CopyValue({ value, shown = value, label, children, onCopied }: CopyValueProps) {
  return (
    <div className={styles.root}>
      <code className={styles.text} translate="no">
        {shown}
      </code>
      <div className={styles.actions}>
        {children}
        <CopyButton text={value} label={label} {...(onCopied ? { onCopied } : {})} />
      </div>
    </div>
  );
}
