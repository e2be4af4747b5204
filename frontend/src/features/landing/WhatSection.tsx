import { GoTo } from '../../ui/GoTo';
import { projectsScreens } from './landing.pictures';
import { projectsPicture, what } from './landing.text';
import { ProductPicture } from './ProductPicture';
import { SectionHead } from './SectionHead';
import styles from './landing.module.css';

/** What Orange ID is, with a picture of My Projects. */
export function WhatSection() {
  return (
    <section className={styles.what} aria-labelledby="what-title">
      <div>
        <SectionHead id="what-title" title={what.title} lead={what.lead} />
        <dl className={styles.whatPoints}>
          {what.points.map(({ title, help }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{help}</dd>
            </div>
          ))}
        </dl>
        <GoTo to="/games-sdk-integration-guide" className={styles.textLink}>
          {what.guide}
        </GoTo>
      </div>
      <ProductPicture {...projectsScreens} alt={projectsPicture} />
    </section>
  );
}
