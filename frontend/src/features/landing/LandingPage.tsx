import { LinkButton } from '../../ui/LinkButton';
import { GrowthSection } from './GrowthSection';
import { Hero } from './Hero';
import { IntegrateSection } from './IntegrateSection';
import { last } from './landing.text';
import { WhatSection } from './WhatSection';
import { WhySection } from './WhySection';
import { YoursSection } from './YoursSection';
import styles from './landing.module.css';

/**
 * The landing page for signed-out visitors. It is rendered at build time and hydrated, so its first render depends only
 * on the configuration.
 */
export function LandingPage() {
  return (
    <div className={styles.root}>
      <Hero />
      <WhatSection />
      <WhySection />
      <IntegrateSection />
      <YoursSection />
      <GrowthSection />
      <section className={styles.last} aria-labelledby="last-title">
        <h2 id="last-title">{last.title}</h2>
        <p>{last.lead}</p>
        <div className={styles.acts}>
          <LinkButton to="/login" type="primary" size="large">
            {last.start}
          </LinkButton>
          <LinkButton to="/orange-id" size="large">
            {last.wizard}
          </LinkButton>
        </div>
      </section>
    </div>
  );
}
