import { Button } from 'antd';
import { useState } from 'react';
import type { StatusTone } from '../../ui/call.text';
import { formatCount, formatShare } from '../../ui/number.text';

export interface BreakdownItem {
  key: string;
  label: string;
  /** Said before the label: a method or a status. */
  lead?: string;
  /** Said after the label, and never cut with it. */
  tag?: string;
  /** The whole of a label that may be cut. */
  title?: string;
  calls: number;
  tone: StatusTone;
  isChosen: boolean;
  onToggle: () => void;
}

interface BreakdownProps {
  title: string;
  items: readonly BreakdownItem[];
  /** In place of the bars, where there are none to show. */
  note?: string;
}

/** Bars shown before somebody asks for all. */
const shownFirst = 6;

/** Calls by something, as bars that filter when pressed and unfilter when pressed again. */
export function Breakdown({ title, items, note }: BreakdownProps) {
  const [isWhole, setIsWhole] = useState(false);
  const most = Math.max(1, ...items.map(({ calls }) => calls));
  const all = items.reduce((sum, { calls }) => sum + calls, 0);
  const shown = isWhole ? items : items.slice(0, shownFirst);
  return (
    <section className="usage-card" aria-label={title}>
      <div className="usage-card-head">
        <h2>{title}</h2>
      </div>
      {note && <p className="usage-breakdown-note">{note}</p>}
      <ul className="usage-bars">
        {shown.map(({ key, label, lead, tag, title: whole, calls, tone, isChosen, onToggle }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={onToggle}
              title={`${whole ? `${whole}: ` : ''}${formatShare(calls, all)} of calls`}
            >
              <span className="usage-bars-name">
                <span className="usage-bars-label">
                  {lead && <span className="tabular">{lead}</span>} {label}
                </span>
                {tag && <span className="usage-tag"> {tag}</span>}
              </span>
              <span className="usage-bars-count tabular">{formatCount(calls)}</span>
              <span className="usage-bars-track" aria-hidden>
                <span data-tone={tone} style={{ width: `${(100 * calls) / most}%` }} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {items.length > shownFirst && (
        <Button
          type="text"
          size="small"
          className="usage-bars-more"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${items.length}`}
        </Button>
      )}
    </section>
  );
}
