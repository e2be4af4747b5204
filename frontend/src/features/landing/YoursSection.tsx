import { useState } from 'react';
import { LightButton } from '../../ui/LightButton';
import { LinkButton } from '../../ui/LinkButton';
import { onDemand } from '../../ui/on.demand';
import { useToast } from '../../ui/toast';
import { configuratorScreens } from './landing.pictures';
import { configuratorPicture, yours } from './landing.text';
import { ProductPicture } from './ProductPicture';
import { SectionHead } from './SectionHead';
import styles from './landing.module.css';

const live = onDemand(async () => (await import('./LivePreview')).LivePreview);

/** A picture of the configurator, which a press replaces by a live preview of the login widget. */
export function YoursSection() {
  const [isAsked, setAsked] = useState(false);
  const isThere = live.useIsThere();
  const toast = useToast();
  const isLive = isAsked && isThere;
  const open = () => {
    setAsked(true);
    live.fetch().catch(() => {
      setAsked(false);
      toast({
        tone: 'error',
        title: 'Failed to load the preview',
        description: 'Check your connection and try again.',
      });
    });
  };
  return (
    <section className={styles.yours} aria-labelledby="yours-title">
      <SectionHead id="yours-title" title={yours.title} lead={yours.lead} />
      <div className={styles.acts}>
        {!isLive && (
          <LightButton size="large" aria-busy={isAsked} onClick={open}>
            {yours.tryIt}
          </LightButton>
        )}
        <LinkButton to="/customisation" size="large" type={isLive ? 'default' : 'text'}>
          {yours.open}
        </LinkButton>
      </div>
      {isLive ? <live.Part /> : <ProductPicture {...configuratorScreens} alt={configuratorPicture} />}
    </section>
  );
}
