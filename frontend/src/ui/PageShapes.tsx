import { profileFieldNames } from '@orange-id/contract/profile.fields';
import type { ReactNode } from 'react';
import './page-shapes.css';
import './skeleton.css';

/** A row of Settings while it loads: its label and value, and its button at the right. */
export function RowShape() {
  return (
    <div className="shape-row">
      <div className="shape-words">
        <span className="skeleton skeleton-line-12" />
        <span className="skeleton skeleton-line-14" />
      </div>
      <span className="skeleton shape-button" />
    </div>
  );
}

const Section = ({ children }: { children: ReactNode }) => (
  <div className="shape-section">
    <span className="skeleton shape-heading" />
    <div className="shape-card">{children}</div>
  </div>
);

/** Settings while it loads: the fields of the account, then the first card of its sign-in. */
export function SettingsShape() {
  return (
    <div className="shape-settings" aria-hidden>
      <Section>
        {profileFieldNames.map((field) => (
          <RowShape key={field} />
        ))}
      </Section>
      <Section>
        <RowShape />
      </Section>
    </div>
  );
}

const Fact = ({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) => (
  <div className={isWide ? 'shape-fact shape-fact-wide' : 'shape-fact'}>
    <span className="skeleton skeleton-line-12" />
    {children}
  </div>
);

/** My Projects while it loads: the list, and the selected project with its key, its call, its ID and its URLs. */
export function ProjectsShape() {
  return (
    <div className="shape-projects" aria-hidden>
      <div className="shape-card shape-list">
        {[1, 2, 3].map((row) => (
          <div key={row} className="shape-list-row">
            <span className="skeleton skeleton-line-14" />
            <span className="skeleton skeleton-line-12" />
          </div>
        ))}
      </div>
      <div className="shape-card">
        <span className="skeleton shape-name" />
        <div className="shape-facts">
          <Fact isWide>
            <span className="skeleton shape-value" />
            <span className="skeleton shape-button shape-button-wide" />
          </Fact>
          <Fact isWide>
            <span className="skeleton shape-code" />
          </Fact>
          <Fact isWide>
            <span className="skeleton shape-value" />
          </Fact>
          <Fact>
            <span className="skeleton skeleton-line-14" />
          </Fact>
          <Fact>
            <span className="skeleton skeleton-line-14" />
          </Fact>
          <Fact isWide>
            <span className="skeleton skeleton-line-14" />
            <span className="skeleton shape-button shape-button-wide" />
          </Fact>
        </div>
      </div>
    </div>
  );
}
