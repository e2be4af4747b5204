import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import type { AppRoute } from '@orange-id/contract/app.routes';
import { Link } from 'react-router-dom';
import { Tooltip } from '../ui/Tooltip';
import { sidebarGroups } from './links';
import { SoonMark } from './SoonMark';

interface SidebarProps {
  /** The current page; its entry is highlighted and not a link. */
  page: AppRoute | undefined;
  isExpanded: boolean;
  onToggle: () => void;
}

/** The left sidebar for signed-in users: 4rem wide with icons, or 14rem with labels. */
export function Sidebar({ page, isExpanded, onToggle }: SidebarProps) {
  const toggleName = isExpanded ? 'Collapse sidebar' : 'Expand sidebar';
  return (
    <aside
      className="sidebar"
      aria-label="Sidebar"
      data-machine="sidebar"
      data-state={isExpanded ? 'expanded' : 'collapsed'}
    >
      <nav className="sidebar-nav" aria-label="Portal">
        {sidebarGroups.map(({ label, links }) => (
          <div key={label ?? 'first'} role="group" aria-label={label} className="sidebar-group">
            {label && (
              <div className="sidebar-label" aria-hidden>
                {label}
              </div>
            )}
            {links.map((link) => {
              const inside = (
                <>
                  <span className="sidebar-icon" aria-hidden>
                    {link.icon}
                  </span>
                  <span className="sidebar-text">
                    {link.label}
                    {link.isSoon && <SoonMark />}
                  </span>
                </>
              );
              return (
                <Tooltip key={link.to} text={isExpanded ? null : link.label} side="right">
                  {link.to === page ? (
                    <span className="sidebar-entry" aria-current="page">
                      {inside}
                    </span>
                  ) : (
                    <Link className="sidebar-entry" to={link.to}>
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
          className="sidebar-entry"
          aria-expanded={isExpanded}
          aria-label={toggleName}
          onClick={onToggle}
        >
          <span className="sidebar-icon" aria-hidden>
            {isExpanded ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
          </span>
          <span className="sidebar-text" aria-hidden>
            Collapse
          </span>
        </button>
      </Tooltip>
    </aside>
  );
}
