import { Button, Flex, Tag } from 'antd';
import { useState } from 'react';
import type { StatusTone } from '../../ui/call.text';
import { formatCount, formatShare } from '../../ui/number.text';
import filterBars from '../../ui/filter-bars.module.css';
import liveCalls from '../../ui/live-calls.module.css';
import styles from './usage.module.css';

export interface BreakdownItem {
  key: string;
  label: string;
  /** Text before the label: a method or a status. */
  lead?: string;
  /** Text after the label, never truncated: what tells labels of one name apart. */
  end?: string;
  /** A mark after the label, never truncated. */
  tag?: string;
  /** The full text of a label that may be truncated. */
  title?: string;
  calls: number;
  /** The bar's colour; neutral by default. */
  tone?: StatusTone;
  isChosen: boolean;
  onToggle: () => void;
}

interface BreakdownProps {
  title: string;
  items: readonly BreakdownItem[];
  /** Shown instead of bars if there are none. */
  note?: string;
}

/** Bars shown before the user expands the list. */
const shownFirst = 6;

/** Calls grouped by one property, as bars; a click on a bar sets or removes the filter. */
export function Breakdown({ title, items, note }: BreakdownProps) {
  const [isWhole, setIsWhole] = useState(false);
  const most = Math.max(1, ...items.map(({ calls }) => calls));
  const all = items.reduce((sum, { calls }) => sum + calls, 0);
  const shown = isWhole ? items : items.slice(0, shownFirst);
  return (
    <section className="light-card" aria-label={title}>
      <div className="light-card-head">
        <h2>{title}</h2>
      </div>
      {note && <p className="note">{note}</p>}
      <ul className={filterBars.bars}>
        {shown.map(({ key, label, lead, end, tag, title: whole, calls, tone, isChosen, onToggle }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={onToggle}
              title={`${whole ? `${whole}: ` : ''}${formatShare(calls, all)} of calls`}
            >
              <Flex component="span" gap={4} className={styles.barsName}>
                <span className={styles.barsLabel}>
                  {lead && <span className="tabular">{lead} </span>}
                  <span>{label}</span>
                </span>
                {end && <span>{end}</span>}
                {tag && <Tag> {tag}</Tag>}
              </Flex>
              <span className="tabular">{formatCount(calls)}</span>
              <span className="track" aria-hidden>
                <span
                  className={liveCalls.tone}
                  data-tone={tone}
                  style={{ width: `max(2px, ${(100 * calls) / most}%)` }}
                />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {items.length > shownFirst && (
        <Button
          type="text"
          size="small"
          className={styles.barsMore}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${items.length}`}
        </Button>
      )}
    </section>
  );
}
