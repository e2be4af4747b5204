import { LogoutOutlined, MenuOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons';
import { Button, Skeleton, Tooltip } from 'antd';
import { useEffect, useState } from 'react';
import { Link, NavLink } from 'react-router-dom';
import { useAuth } from '../api/auth.context';
import { useConfig } from '../api/config.context';
import { LinkButton } from '../ui/LinkButton';
import { Logo } from '../ui/Logo';
import { UserAvatar } from '../ui/UserAvatar';
import { chooseColorMode, useColorMode } from './color.mode';
import { accountLinks, integrationLinks, projectsLink, supportLinks } from './links';
import { NavMenu } from './NavMenu';

/** True once the page is scrolled by more than 0 px. */
function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(() => window.scrollY > 0);
  useEffect(() => {
    const onScroll = () => setScrolled(window.scrollY > 0);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  return isScrolled;
}

/** The sticky header (spec §2): solid when signed in; signed out, transparent until the page is scrolled. */
export function Header({ onMenu, isMenuOpen }: { onMenu: () => void; isMenuOpen: boolean }) {
  const config = useConfig();
  const { isAuthenticated, isLoading } = useAuth();
  const isScrolled = useIsScrolled();
  const isSolid = isAuthenticated || isLoading || isScrolled;

  return (
    <header className="header" data-solid={isSolid}>
      <Link to="/" className="header-logo">
        <Logo />
      </Link>
      <nav className="header-nav" aria-label="Main">
        <NavMenu label="Integration" links={integrationLinks} />
        {isAuthenticated && (
          <NavLink to={projectsLink.to} className="header-link">
            {projectsLink.label}
          </NavLink>
        )}
        <NavMenu label="Support" links={supportLinks(config)} />
      </nav>
      <div className="header-side">
        <ColorModeSwitch />
        {isLoading ? (
          <Skeleton.Avatar active size={36} />
        ) : isAuthenticated ? (
          <AvatarMenu />
        ) : (
          <LinkButton to="/login" type="primary">
            Login
          </LinkButton>
        )}
        <Button
          className="header-burger"
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

function ColorModeSwitch() {
  const mode = useColorMode();
  const other = mode === 'dark' ? 'light' : 'dark';
  const name = `Switch to ${other} theme`;
  return (
    <Tooltip title={name} mouseEnterDelay={0.7}>
      <Button
        type="text"
        icon={mode === 'dark' ? <SunOutlined /> : <MoonOutlined />}
        aria-label={name}
        onClick={() => chooseColorMode(other)}
      />
    </Tooltip>
  );
}

function AvatarMenu() {
  const { user, logout } = useAuth();
  const name = user?.displayName || user?.email || 'Your account';
  return (
    <NavMenu
      label="Account"
      head={
        <span className="account-head">
          <span className="account-name">{name}</span>
          {user?.email && user.email !== name && <span className="account-email">{user.email}</span>}
        </span>
      }
      links={accountLinks}
      more={[
        { type: 'divider' },
        { key: 'sign-out', icon: <LogoutOutlined />, label: 'Sign out', onClick: logout },
      ]}
      trigger={
        <button
          type="button"
          className="avatar-button"
          aria-haspopup="menu"
          aria-label={`Account menu: ${name}`}
        >
          <UserAvatar user={user} size={36} />
        </button>
      }
    />
  );
}
