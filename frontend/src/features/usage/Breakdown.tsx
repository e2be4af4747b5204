import { formatCount, formatShare, type StatusTone } from './usage.format';

export interface BreakdownItem {
  key: string;
  label: string;
  /** Said before the label, in code. */
  code?: string;
  calls: number;
  tone: StatusTone;
  isChosen: boolean;
  onToggle: () => void;
}

interface BreakdownProps {
  title: string;
  items: readonly BreakdownItem[];
}

/** Calls by something, as bars that filter when pressed and unfilter when pressed again. */
export function Breakdown({ title, items }: BreakdownProps) {
  const most = Math.max(1, ...items.map(({ calls }) => calls));
  const all = items.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <section className="usage-card" aria-label={title}>
      <div className="usage-card-head">
        <h2>{title}</h2>
      </div>
      <ul className="usage-bars">
        {items.map(({ key, label, code, calls, tone, isChosen, onToggle }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={onToggle}
              title={`${formatShare(calls, all)} of calls`}
            >
              <span className="usage-bars-label">
                {code && <code>{code}</code>} {label}
              </span>
              <span className="usage-bars-count tabular">{formatCount(calls)}</span>
              <span className="usage-bars-track" aria-hidden>
                <span data-tone={tone} style={{ width: `${(100 * calls) / most}%` }} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
