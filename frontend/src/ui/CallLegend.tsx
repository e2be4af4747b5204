import type { ReactNode } from 'react';
import liveCalls from './live-calls.module.css';
import styles from './call-legend.module.css';

/** The parts of a bar, in the colours of the status tags. */
const parts = [
  { tone: 'neutral', label: 'Succeeded' },
  { tone: 'amber', label: '4xx' },
  { tone: 'red', label: '5xx' },
  { tone: 'blocked', label: 'Blocked' },
] as const;

/** The legend of bars of calls; `children` are further entries. */
export function CallLegend({ children }: { children?: ReactNode }) {
  return (
    <ul className={styles.root} aria-label="Legend">
      {parts.map(({ tone, label }) => (
        <li key={tone}>
          <span className={liveCalls.tone} data-tone={tone} aria-hidden /> {label}
        </li>
      ))}
      {children}
    </ul>
  );
}
