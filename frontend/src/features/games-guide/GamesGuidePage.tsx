import '../../ui/light-card.css';
import '../../ui/ui.css';
import { appRoutes } from '@orange-id/contract/app.routes';
import {
  gamesGuide,
  gamesGuideCards,
  gamesGuideLead,
  gamesGuidePath,
  playgroundPath,
  targetOf,
} from '@orange-id/contract/games.guide';
import { useLayoutEffect, useMemo, useState, type ComponentType } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useConfig } from '../../api/config/config.context';
import { CodeGame, CodeKey, PanelOpened } from '../../ui/DocsCode';
import { DocsContents, DocsHeading, DocsSections } from '../../ui/DocsText';
import textStyles from '../../ui/docs-text.module.css';
import { LightButton } from '../../ui/LightButton';
import { LinkButton } from '../../ui/LinkButton';
import { GoTo } from '../../ui/GoTo';
import { useHydrated } from '../../ui/useHydrated';
import { usePageView } from '../../ui/usePageView';
import type { ExampleGameProps, ExampleNames } from './ExampleGame';
import styles from './games-guide.module.css';

const playground = { id: 'playground', title: 'Playground' };
const downloads = { id: 'downloads', title: 'Downloads and links' };

interface GamesGuidePageProps {
  Playground: ComponentType;
  ExampleGame: ComponentType<ExampleGameProps>;
}

/**
 * The guide for games. It is rendered at build time and hydrated, so its first render depends only on the
 * configuration. `Playground` and `ExampleGame` load their own code.
 */
export function GamesGuidePage({ Playground, ExampleGame }: GamesGuidePageProps) {
  const { publicUrl } = useConfig();
  const { hash } = useLocation();
  const isHydrated = useHydrated();
  const sections = useMemo(() => gamesGuide(publicUrl), [publicUrl]);
  const [names, setNames] = useState<ExampleNames | null>(null);
  usePageView(gamesGuidePath, appRoutes[gamesGuidePath].title);

  // On the way from another page the router looks for the anchor before this page's code has loaded.
  const [isPlaying, setPlaying] = useState(false);
  const [arrival] = useState(isHydrated ? hash.slice(1) : '');
  useLayoutEffect(() => {
    // Newer browsers return a promise, which React would call as the effect's clean-up.
    void document.getElementById(arrival)?.scrollIntoView();
  }, [arrival]);

  return (
    <PanelOpened value={isHydrated}>
      <div className={styles.root}>
        {isHydrated && <ExampleGame onNames={setNames} />}
        <h1 className={styles.title}>{appRoutes[gamesGuidePath].title}</h1>
        <div className={styles.hero}>
          <p>{gamesGuideLead}</p>
          <LinkButton to={playgroundPath} type="primary">
            Open the playground
          </LinkButton>
        </div>
        <div className={textStyles.withContents}>
          <DocsContents links={[...sections, playground, downloads]} />
          <div className={textStyles.text}>
            <CodeKey value={names?.key ?? null}>
              <CodeGame value={names?.game ?? null}>
                <DocsSections sections={sections} />
              </CodeGame>
            </CodeKey>
            <section id={playground.id} className={textStyles.section} aria-label={playground.title}>
              <DocsHeading {...playground} level={2} />
              <p>
                Play the sample game or your own here: the playground runs it as the platform does, and checks
                it. Your files stay in your browser. It also has{' '}
                <Link to={playgroundPath}>a page of its own</Link>.
              </p>
              {isPlaying ? (
                <Playground />
              ) : (
                <LightButton type="primary" className={styles.play} onClick={() => setPlaying(true)}>
                  Play the sample here
                </LightButton>
              )}
            </section>
            <section id={downloads.id} className={textStyles.section} aria-label={downloads.title}>
              <DocsHeading {...downloads} level={2} />
              <Cards />
            </section>
          </div>
        </div>
      </div>
    </PanelOpened>
  );
}

/** The server leaves out a prerendered link whose value is null, by its attribute `data-if`. */
function Cards() {
  const { links } = useConfig();
  return (
    <div className={styles.cards}>
      {gamesGuideCards.map((card) => {
        const { title, help, target } = card;
        const to = targetOf(card, links);
        if (to === null) return null;
        const words = (
          <>
            <strong>{title}</strong>
            <span>{help}</span>
          </>
        );
        if ('path' in target) {
          return (
            <a key={title} href={to} download className={`light-card ${styles.card}`}>
              {words}
            </a>
          );
        }
        return (
          <GoTo
            key={title}
            to={to}
            isExternal
            onlyIf={`links.${target.link}`}
            className={`light-card ${styles.card}`}
          >
            {words}
          </GoTo>
        );
      })}
    </div>
  );
}
