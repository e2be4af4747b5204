import type { ReactNode } from 'react';
import './figure.css';
import './skeleton.css';

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
    <div className="figure">
      <dt className="note">{label}</dt>
      <dd>
        <span className="figure-value tabular">
          {value ?? <span className="skeleton" role="status" aria-label="Loading" />}
        </span>
        <span className="figure-note">{note || '\u00a0'}</span>
        {change && <span className="figure-change tabular">{change}</span>}
      </dd>
    </div>
  );
}
