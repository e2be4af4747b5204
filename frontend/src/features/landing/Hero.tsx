import { GoTo } from '../../ui/GoTo';
import { LinkButton } from '../../ui/LinkButton';
import { useDocsLink } from '../../ui/useDocsLink';
import { usageScreens } from './landing.pictures';
import { hero, usagePicture } from './landing.text';
import { ProductPicture } from './ProductPicture';

/** The headline, the call to action, the three steps and a picture of the product. */
export function Hero() {
  const docs = useDocsLink();
  return (
    <section className="hero" aria-labelledby="hero-title">
      <h1 id="hero-title">{hero.title}</h1>
      <div className="hero-under">
        <div className="hero-words">
          <p>{hero.help}</p>
          <div className="landing-acts">
            <LinkButton to="/orange-id" type="primary" size="large">
              {hero.start}
            </LinkButton>
            <GoTo {...docs} className="hero-docs">
              {hero.docs}
            </GoTo>
          </div>
        </div>
        <dl className="hero-facts">
          {hero.facts.map(({ figure, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </div>
      <figure className="hero-picture">
        <ProductPicture {...usageScreens} alt={usagePicture.alt} />
        <figcaption>{usagePicture.caption}</figcaption>
      </figure>
      <ol className="hero-steps" aria-label="Three steps">
        {hero.steps.map(({ title, help }, index) => (
          <li key={title}>
            <span className="step-number" aria-hidden>
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
