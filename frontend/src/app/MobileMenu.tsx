import { NavLink as RouterLink, useLocation } from 'react-router-dom';
import { useAuth } from '../api/session/auth.context';
import { rememberCommunity } from '../api/session/left.page';
import { useConfig } from '../api/config/config.context';
import { GoTo } from '../ui/GoTo';
import { LightButton } from '../ui/LightButton';
import { LinkButton } from '../ui/LinkButton';
import { useDocsLink } from '../ui/useDocsLink';
import { LightDialog } from './LightDialog';
import { accountLinks, integrationLinks, sidebarGroups, supportLinks, type NavLink } from './links';
import { SocialLinks } from './SocialLinks';
import { SoonMark } from './SoonMark';
import framelessStyles from './frameless.module.css';
import styles from './mobile-menu.module.css';

interface MobileMenuProps {
  isOpen: boolean;
  onClose: () => void;
  onPage: () => void;
  onSignIn: () => void;
}

/** The slide-in menu from the right: the header's links, the sidebar's if signed in, and the social icons. */
export function MobileMenu({ isOpen, onClose, onPage, onSignIn }: MobileMenuProps) {
  const config = useConfig();
  const docs = useDocsLink();
  const location = useLocation();
  const { isAuthenticated, logout } = useAuth();

  const inside = ({ icon, label, isSoon }: NavLink) => (
    <>
      <span className={framelessStyles.icon} aria-hidden>
        {icon}
      </span>
      {label}
      {isSoon && <SoonMark />}
    </>
  );
  const entry = (link: NavLink) => {
    if (link.isExternal) {
      return (
        <GoTo {...link} className={`${framelessStyles.root} ${styles.link}`} onClick={onPage}>
          {inside(link)}
        </GoTo>
      );
    }
    if (link.to === '/orange-id' && !isAuthenticated) {
      return (
        <button type="button" className={`${framelessStyles.root} ${styles.link}`} onClick={onSignIn}>
          {inside(link)}
        </button>
      );
    }
    return (
      <RouterLink
        to={link.to}
        end={link.to === '/'}
        className={`${framelessStyles.root} ${styles.link}`}
        onClick={onPage}
      >
        {inside(link)}
      </RouterLink>
    );
  };
  const group = (title: string, links: NavLink[]) => (
    <section className={styles.group} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {links.map((link) => (
          <li key={link.to}>{entry(link)}</li>
        ))}
      </ul>
    </section>
  );
  const known = new Set(integrationLinks.map(({ to }) => to));
  const own = sidebarGroups.flatMap(({ links }) => links).filter(({ to }) => !known.has(to));

  return (
    <LightDialog title="Menu" className={styles.menu} isOpen={isOpen} onClose={onClose}>
      <nav className={styles.nav} aria-label="Menu">
        {isAuthenticated && group('Portal', own)}
        {group('Integration', integrationLinks)}
        {group('Support', supportLinks(config, docs))}
        {isAuthenticated && group('Account', accountLinks)}
      </nav>
      <div className={styles.foot}>
        {isAuthenticated ? (
          <LightButton block size="large" onClick={logout}>
            Sign out
          </LightButton>
        ) : (
          <LinkButton
            to="/login"
            type="primary"
            block
            size="large"
            onGo={() => {
              rememberCommunity(location);
              onPage();
            }}
          >
            Login
          </LinkButton>
        )}
        <SocialLinks config={config} />
      </div>
    </LightDialog>
  );
}
