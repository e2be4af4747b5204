import { DownOutlined, LogoutOutlined, MenuOutlined } from '@ant-design/icons';
import { useSyncExternalStore } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useAuth } from '../api/session/auth.context';
import { rememberCommunity } from '../api/session/left.page';
import { useConfig } from '../api/config/config.context';
import { LightButton } from '../ui/LightButton';
import { LinkButton } from '../ui/LinkButton';
import { Logo } from '../ui/Logo';
import { UserAvatar } from '../ui/UserAvatar';
import { useDocsLink } from '../ui/useDocsLink';
import { ColorModeSwitch } from './ColorModeSwitch';
import { accountLinks, integrationLinks, projectsLink, supportLinks, type NavLink as Place } from './links';
import { NavMenu } from './NavMenu';
import { QuickSearchButton } from './QuickSearchButton';
import logoStyles from '../ui/logo.module.css';
import framelessStyles from './frameless.module.css';
import styles from './header.module.css';

function subscribeScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/** Whether the page is scrolled; false on the server. */
const useIsScrolled = (): boolean =>
  useSyncExternalStore(
    subscribeScroll,
    () => window.scrollY > 0,
    () => false,
  );

/** The sticky header: solid when signed in; when signed out, transparent until the page is scrolled. */
export function Header({ onMenu, isMenuOpen }: { onMenu: () => void; isMenuOpen: boolean }) {
  const config = useConfig();
  const docs = useDocsLink();
  const location = useLocation();
  const { isAuthenticated, isLoading } = useAuth();
  const isScrolled = useIsScrolled();
  // Assumes a signed-in user until the session has been checked, so that nothing shifts then.
  const isDeveloper = isAuthenticated || isLoading;
  const face = isDeveloper ? 'solid' : isScrolled ? 'scrolled' : 'clear';

  const menu = (label: string, links: Place[]) => (
    <NavMenu label={label} links={links} className={`${framelessStyles.root} ${styles.link}`}>
      {label}
      <DownOutlined className={styles.mark} aria-hidden />
    </NavMenu>
  );
  return (
    <header className={styles.root} data-face={face}>
      <Link to="/" className={logoStyles.link}>
        <Logo />
      </Link>
      <nav className={styles.nav} aria-label="Main">
        {menu('Integration', integrationLinks)}
        {isDeveloper && (
          <NavLink to={projectsLink.to} className={`${framelessStyles.root} ${styles.link}`}>
            {projectsLink.label}
          </NavLink>
        )}
        {menu('Support', supportLinks(config, docs))}
      </nav>
      <div className={styles.side}>
        <QuickSearchButton />
        <ColorModeSwitch />
        {isLoading ? (
          <span className={styles.waiting} />
        ) : isAuthenticated ? (
          <AvatarMenu />
        ) : (
          <LinkButton to="/login" type="primary" onGo={() => rememberCommunity(location)}>
            Login
          </LinkButton>
        )}
        <LightButton
          className={styles.burger}
          type="text"
          icon={<MenuOutlined />}
          aria-label="Open menu"
          aria-haspopup="dialog"
          aria-expanded={isMenuOpen}
          onClick={onMenu}
        />
      </div>
    </header>
  );
}

function AvatarMenu() {
  const { user, logout } = useAuth();
  const name = user?.displayName || user?.email || 'Your account';
  return (
    <NavMenu
      label="Account"
      name={`Account menu: ${name}`}
      className={styles.avatarButton}
      align="end"
      head={
        <>
          <span className={styles.accountName}>{name}</span>
          {user?.email && user.email !== name && <span className={styles.accountEmail}>{user.email}</span>}
        </>
      }
      links={accountLinks}
      acts={[{ label: 'Sign out', icon: <LogoutOutlined />, onSelect: logout }]}
    >
      <UserAvatar user={user} size={36} />
    </NavMenu>
  );
}
