import filterBars from '../../ui/filter-bars.module.css';
import { formatCount, formatShare } from '../../ui/number.text';
import styles from './users.module.css';

export interface UserBar {
  value: string;
  label: string;
  users: number;
}

interface UserBarsProps {
  title: string;
  items: readonly UserBar[];
  /** All people of the range; one person may count in several bars. */
  all: number;
  chosen: string | undefined;
  /** Called with the chosen value, or with `undefined` to remove the filter. */
  onChoose: (value: string | undefined) => void;
}

const shownMost = 6;

/** People grouped by one property; a click on a bar sets or removes the filter. */
export function UserBars({ title, items, all, chosen, onChoose }: UserBarsProps) {
  const most = Math.max(1, ...items.map(({ users }) => users));
  const rest = items.slice(shownMost);
  return (
    <section aria-label={title}>
      <h4 className="note">{title}</h4>
      <ul className={`${filterBars.bars} ${styles.bars}`}>
        {items.slice(0, shownMost).map(({ value, label, users }) => (
          <li key={value}>
            <button
              type="button"
              aria-pressed={chosen === value}
              title={`${label}: ${formatShare(users, all)} of people`}
              onClick={() => onChoose(chosen === value ? undefined : value)}
            >
              <span className={styles.barsName}>{label}</span>
              <span className="tabular">{formatCount(users)}</span>
              <span className="track" aria-hidden>
                <span style={{ width: `max(2px, ${(100 * users) / most}%)` }} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rest.length > 0 && <p className="note">and {rest.length} more</p>}
    </section>
  );
}
