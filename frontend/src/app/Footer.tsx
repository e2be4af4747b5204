import { Link } from 'react-router-dom';
import { useConfig } from '../api/config/config.context';
import { GoTo } from '../ui/GoTo';
import { Logo } from '../ui/Logo';
import { useDocsLink } from '../ui/useDocsLink';
import { communityLink, integrationLinks, legalEntries, supportLinks, type NavLink } from './links';
import { notPublished, PlaceholderLink } from './PlaceholderLink';
import { SocialLinks } from './SocialLinks';
import { SoonMark } from './SoonMark';
import logoStyles from '../ui/logo.module.css';
import styles from './footer.module.css';

/** The footer of every page except bare ones. */
export function Footer() {
  const config = useConfig();
  const docs = useDocsLink();
  const column = (title: string, links: NavLink[]) => (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {links.map(({ label, to, isExternal, isSoon }) => (
          <li key={label}>
            <GoTo to={to} isExternal={isExternal}>
              {label}
              {isSoon && <SoonMark />}
            </GoTo>
          </li>
        ))}
      </ul>
    </section>
  );
  return (
    <footer className={styles.root}>
      <div className={styles.inner}>
        <div className={styles.brand}>
          <Link to="/" className={logoStyles.link}>
            <Logo />
          </Link>
          <p>One sign-in for every app you build.</p>
          <SocialLinks config={config} />
          <p className={styles.version}>{`Version ${config.version}`}</p>
        </div>
        <div className={styles.columns}>
          {column('Integration', integrationLinks)}
          {column('Support', [...supportLinks(config, docs), communityLink])}
          <section aria-label="Legal">
            <h2>Legal</h2>
            <p className={styles.note}>{notPublished}</p>
            <ul>
              {legalEntries.map((entry) => (
                <li key={entry}>
                  <PlaceholderLink>{entry}</PlaceholderLink>
                </li>
              ))}
            </ul>
          </section>
        </div>
      </div>
    </footer>
  );
}
