import { GoTo } from '../../ui/GoTo';
import { LinkButton } from '../../ui/LinkButton';
import { useDocsLink } from '../../ui/useDocsLink';
import { usageScreens } from './landing.pictures';
import { hero, usagePicture } from './landing.text';
import { ProductPicture } from './ProductPicture';
import styles from './landing.module.css';

/** The headline, the call to action, the three steps and a picture of the product. */
export function Hero() {
  const docs = useDocsLink();
  return (
    <section className={styles.hero} aria-labelledby="hero-title">
      <h1 id="hero-title">{hero.title}</h1>
      <div className={styles.heroUnder}>
        <div className={styles.heroWords}>
          <p>{hero.help}</p>
          <div className={styles.acts}>
            <LinkButton to="/orange-id" type="primary" size="large">
              {hero.start}
            </LinkButton>
            <GoTo {...docs} className={styles.heroDocs}>
              {hero.docs}
            </GoTo>
          </div>
        </div>
        <dl className={styles.heroFacts}>
          {hero.facts.map(({ figure, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </div>
      <figure className={styles.heroPicture}>
        <ProductPicture {...usageScreens} alt={usagePicture.alt} />
        <figcaption>{usagePicture.caption}</figcaption>
      </figure>
      <ol className={styles.heroSteps} aria-label="Three steps">
        {hero.steps.map(({ title, help }, index) => (
          <li key={title}>
            <span className={styles.stepNumber} aria-hidden>
              {index + 1}
            </span>
            <h2>{title}</h2>
            <p>{help}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
