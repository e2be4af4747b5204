import { Button, Drawer } from 'antd';
import { useAuth } from '../api/auth.context';
import { useConfig } from '../api/config.context';
import { GoTo } from '../ui/GoTo';
import { LinkButton } from '../ui/LinkButton';
import {
  accountLinks,
  integrationLinks,
  sidebarGroups,
  socialLinks,
  supportLinks,
  type NavLink,
} from './links';
import { SocialIcon } from './SocialIcon';

interface MobileMenuProps {
  isOpen: boolean;
  onClose: () => void;
  onPage: () => void;
  onSignIn: () => void;
}

/** The slide-in menu from the right: the header's links, the sidebar's when signed in, and the social icons (spec §2). */
export function MobileMenu({ isOpen, onClose, onPage, onSignIn }: MobileMenuProps) {
  const config = useConfig();
  const { isAuthenticated, logout } = useAuth();

  const entry = (link: NavLink) => {
    const needsSignIn = link.to === '/orange-id' && !isAuthenticated;
    return (
      <li key={link.to}>
        {needsSignIn ? (
          <button type="button" className="mobile-link" onClick={onSignIn}>
            {link.label}
          </button>
        ) : (
          <GoTo {...link} className="mobile-link" onClick={onPage}>
            {link.label}
          </GoTo>
        )}
      </li>
    );
  };
  const group = (title: string, links: NavLink[]) => (
    <section className="mobile-group" aria-label={title}>
      <h2>{title}</h2>
      <ul>{links.map(entry)}</ul>
    </section>
  );
  const known = new Set(integrationLinks.map(({ to }) => to));
  const own = sidebarGroups.flatMap(({ links }) => links).filter(({ to }) => !known.has(to));

  return (
    <Drawer
      title="Menu"
      placement="right"
      size={320}
      open={isOpen}
      onClose={onClose}
      rootClassName="mobile-menu"
      destroyOnHidden
    >
      {isAuthenticated && group('Portal', own)}
      {group('Integration', integrationLinks)}
      {group('Support', supportLinks(config))}
      {isAuthenticated && group('Account', accountLinks)}
      <div className="mobile-acts">
        {isAuthenticated ? (
          <Button block onClick={logout}>
            Sign out
          </Button>
        ) : (
          <LinkButton to="/login" type="primary" block onGo={onPage}>
            Login
          </LinkButton>
        )}
      </div>
      <ul className="social-icons" aria-label="Follow us">
        {socialLinks(config).map(({ label, to }) => (
          <li key={label}>
            <a href={to} target="_blank" rel="noreferrer" aria-label={`${label} (opens in a new tab)`}>
              <SocialIcon name={label} />
            </a>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}
