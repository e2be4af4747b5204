import './rows.css';
import './light-card.css';
import './skeleton.css';
import { profileFieldNames } from '@orange-id/contract/profile.fields';
import type { ReactNode } from 'react';
import styles from './page-shapes.module.css';

/** Rows while they load: a label and a value, and a button at the right. */
export function RowsShape({ count = 1, hasActions = true }: { count?: number; hasActions?: boolean }) {
  return (
    <div className="rows">
      {Array.from({ length: count }, (_, place) => (
        <div key={place}>
          <div className={`rows-words ${styles.words}`}>
            <span className="skeleton skeleton-line-12" />
            <span className="skeleton skeleton-line-14" />
          </div>
          {hasActions && <span className={`skeleton ${styles.button}`} />}
        </div>
      ))}
    </div>
  );
}

const Section = ({ children }: { children: ReactNode }) => (
  <div className="stack">
    <span className={`skeleton ${styles.heading}`} />
    <div className={`light-card ${styles.card}`}>{children}</div>
  </div>
);

/** Settings while it loads: the fields of the account, then the first card of its sign-in. */
export function SettingsShape() {
  return (
    <div className={`stack ${styles.settings}`} aria-hidden>
      <Section>
        <RowsShape count={profileFieldNames.length} />
      </Section>
      <Section>
        <RowsShape />
      </Section>
    </div>
  );
}

const Fact = ({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) => (
  <div className={isWide ? `${styles.fact} ${styles.factsWide}` : styles.fact}>
    <span className="skeleton skeleton-line-12" />
    {children}
  </div>
);

/** My Projects while it loads: the list, and the selected project with its key, its call, its ID and its URLs. */
export function ProjectsShape() {
  return (
    <div className={styles.projects} aria-hidden>
      <div className={`light-card ${styles.list}`}>
        {[1, 2, 3].map((row) => (
          <div key={row} className={styles.listRow}>
            <span className="skeleton skeleton-line-14" />
            <span className="skeleton skeleton-line-12" />
          </div>
        ))}
      </div>
      <div className={`light-card ${styles.card}`}>
        <span className={`skeleton ${styles.name}`} />
        <div className={styles.facts}>
          <Fact isWide>
            <span className={`skeleton ${styles.value}`} />
            <span className={`skeleton ${styles.button} ${styles.buttonWide}`} />
          </Fact>
          <Fact isWide>
            <span className={`skeleton ${styles.code}`} />
          </Fact>
          <Fact isWide>
            <span className={`skeleton ${styles.value}`} />
          </Fact>
          <Fact>
            <span className="skeleton skeleton-line-14" />
          </Fact>
          <Fact>
            <span className="skeleton skeleton-line-14" />
          </Fact>
          <Fact isWide>
            <span className="skeleton skeleton-line-14" />
            <span className={`skeleton ${styles.button} ${styles.buttonWide}`} />
          </Fact>
        </div>
      </div>
    </div>
  );
}
