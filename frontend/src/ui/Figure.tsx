import type { ReactNode } from 'react';

interface FigureProps {
  label: string;
  /** Left out while it is read. */
  value: ReactNode;
  note: ReactNode;
}

/** One figure: its name, large, and what it is of. Its place is as large while it is read. */
export function Figure({ label, value, note }: FigureProps) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd>
        <span className="figure-value tabular">
          {value ?? <span className="bone" role="status" aria-label="Loading" />}
        </span>
        <span className="figure-note">{note || '\u00a0'}</span>
      </dd>
    </div>
  );
}
