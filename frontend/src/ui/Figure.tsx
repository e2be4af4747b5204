import './skeleton.css';
import type { ReactNode } from 'react';
import styles from './figure.module.css';

interface FigureProps {
  label: string;
  /** `undefined` while loading. */
  value: ReactNode;
  note: ReactNode;
  /** The change since an earlier period, if it is shown. */
  change?: ReactNode;
}

/** One metric: name, large value and note. Its size stays the same while loading. */
export function Figure({ label, value, note, change }: FigureProps) {
  return (
    <div className={styles.root}>
      <dt className="note">{label}</dt>
      <dd>
        <span className={`${styles.value} tabular`}>
          {value ?? <span className="skeleton" role="status" aria-label="Loading" />}
        </span>
        <span className={styles.note}>{note || '\u00a0'}</span>
        {change && <span className={`${styles.change} tabular`}>{change}</span>}
      </dd>
    </div>
  );
}
