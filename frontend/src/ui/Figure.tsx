import type { ReactNode } from 'react';

interface FigureProps {
  label: string;
  /** `undefined` while loading. */
  value: ReactNode;
  note: ReactNode;
}

/** One metric: name, large value and note. Its size stays the same while loading. */
export function Figure({ label, value, note }: FigureProps) {
  return (
    <div className="figure">
      <dt className="note">{label}</dt>
      <dd>
        <span className="figure-value tabular">
          {value ?? <span className="skeleton" role="status" aria-label="Loading" />}
        </span>
        <span className="figure-note">{note || '\u00a0'}</span>
      </dd>
    </div>
  );
}
