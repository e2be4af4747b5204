import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton';
import './copy-value.css';

interface CopyValueProps {
  value: string;
  /** What stands in place of `value` on the screen. */
  shown?: string;
  /** What it is, for the name of the copy button: `project id`. */
  label: string;
  /** Further buttons, before the copy button. */
  children?: ReactNode;
  onCopied?: () => void;
}

/** A value in a frame of its own, with a copy button that says 'Copied!' for 1.5 s. */
export function CopyValue({ value, shown = value, label, children, onCopied }: CopyValueProps) {
  return (
    <div className="copy-value">
      <code className="copy-value-text" translate="no">
        {shown}
      </code>
      <div className="copy-value-actions">
        {children}
        <CopyButton text={value} label={label} {...(onCopied ? { onCopied } : {})} />
      </div>
    </div>
  );
}
