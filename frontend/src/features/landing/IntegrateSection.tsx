import { LinkButton } from '../../ui/LinkButton';
import { IntegratePanels } from './IntegratePanels';
import { wizardScreens } from './landing.pictures';
import { integrate } from './landing.text';
import { ProductPicture } from './ProductPicture';
import { SectionHead } from './SectionHead';
import styles from './landing.module.css';

/** The four steps, a picture of the wizard, and the code to paste. */
export function IntegrateSection() {
  return (
    <section aria-labelledby="integrate-title">
      <div className={styles.integrate}>
        <div>
          <SectionHead id="integrate-title" title={integrate.title} lead={integrate.lead} />
          <ol className={styles.integrateSteps}>
            {integrate.steps.map(({ title, help }, index) => (
              <li key={title}>
                <span className={styles.stepNumber} aria-hidden>
                  {index + 1}
                </span>
                <div>
                  <h3>{title}</h3>
                  <p>{help}</p>
                </div>
              </li>
            ))}
          </ol>
          <div className={styles.acts}>
            <LinkButton to="/orange-id" size="large">
              {integrate.wizard}
            </LinkButton>
            <LinkButton to="/projects" size="large" type="text">
              {integrate.projects}
            </LinkButton>
          </div>
        </div>
        <ProductPicture {...wizardScreens} alt={integrate.picture} />
      </div>
      <IntegratePanels />
    </section>
  );
}
