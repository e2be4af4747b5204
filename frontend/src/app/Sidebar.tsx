import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import type { AppRoute } from '@orange-id/contract/app.routes';
import { Link } from 'react-router-dom';
import { Tooltip } from '../ui/Tooltip';
import { sidebarGroups } from './links';
import { SoonMark } from './SoonMark';
import framelessStyles from './frameless.module.css';
import styles from './sidebar.module.css';

interface SidebarProps {
  /** The current page; its entry is highlighted and not a link. */
  page: AppRoute | undefined;
  /** The page that the current one belongs to; its entry is marked, and a link. */
  below: AppRoute | undefined;
  isExpanded: boolean;
  onToggle: () => void;
}

/** The left sidebar for signed-in users: 4rem wide with icons, or 14rem with labels. */
export function Sidebar({ page, below, isExpanded, onToggle }: SidebarProps) {
  const toggleName = isExpanded ? 'Collapse sidebar' : 'Expand sidebar';
  return (
    <aside
      className={styles.root}
      aria-label="Sidebar"
      data-machine="sidebar"
      data-state={isExpanded ? 'expanded' : 'collapsed'}
    >
      <nav className={styles.nav} aria-label="Portal">
        {sidebarGroups.map(({ label, links }) => (
          <div key={label ?? 'first'} role="group" aria-label={label} className={styles.group}>
            {label && (
              <div className={styles.label} aria-hidden>
                {label}
              </div>
            )}
            {links.map((link) => {
              const inside = (
                <>
                  <span className={framelessStyles.icon} aria-hidden>
                    {link.icon}
                  </span>
                  <span className={styles.text}>
                    {link.label}
                    {link.isSoon && <SoonMark />}
                  </span>
                </>
              );
              return (
                <Tooltip key={link.to} text={isExpanded ? null : link.label} side="right">
                  {link.to === page ? (
                    <span className={`${framelessStyles.root} ${styles.entry}`} aria-current="page">
                      {inside}
                    </span>
                  ) : (
                    <Link
                      className={`${framelessStyles.root} ${styles.entry}`}
                      to={link.to}
                      aria-current={link.to === below ? 'true' : undefined}
                    >
                      {inside}
                    </Link>
                  )}
                </Tooltip>
              );
            })}
          </div>
        ))}
      </nav>
      <Tooltip text={isExpanded ? null : toggleName} side="right">
        <button
          type="button"
          className={`${framelessStyles.root} ${styles.entry}`}
          aria-expanded={isExpanded}
          aria-label={toggleName}
          onClick={onToggle}
        >
          <span className={framelessStyles.icon} aria-hidden>
            {isExpanded ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
          </span>
          <span className={styles.text} aria-hidden>
            Collapse
          </span>
        </button>
      </Tooltip>
    </aside>
  );
}
