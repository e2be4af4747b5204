import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { Link } from 'react-router-dom';
import { sidebarGroups } from './links';
import type { SidebarEntry } from './route.handle';

interface SidebarProps {
  /** The entry of the page shown; it is highlighted and no link. */
  entry: SidebarEntry | undefined;
  isExpanded: boolean;
  onToggle: () => void;
}

/** The left sidebar of signed-in screens (spec §2): 4rem of icons, or 14rem with labels. */
export function Sidebar({ entry, isExpanded, onToggle }: SidebarProps) {
  const toggleName = isExpanded ? 'Collapse sidebar' : 'Expand sidebar';
  return (
    <aside className="sidebar" data-machine="sidebar" data-state={isExpanded ? 'expanded' : 'collapsed'}>
      <nav className="sidebar-nav" aria-label="Portal">
        {sidebarGroups.map(({ label, links }) => (
          <div key={label ?? 'first'} role="group" aria-label={label ?? undefined} className="sidebar-group">
            {label && (
              <div className="sidebar-label" aria-hidden>
                {isExpanded ? label : null}
              </div>
            )}
            {links.map((link) => {
              const inside = (
                <>
                  <span className="sidebar-icon" aria-hidden>
                    {link.icon}
                  </span>
                  <span className={isExpanded ? 'sidebar-text' : 'visually-hidden'}>{link.label}</span>
                </>
              );
              return (
                <Tooltip
                  key={link.entry}
                  title={isExpanded ? null : link.label}
                  placement="right"
                  mouseEnterDelay={0.7}
                >
                  {link.entry === entry ? (
                    <span className="sidebar-entry sidebar-current" aria-current="page">
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
      <button
        type="button"
        className="sidebar-entry sidebar-toggle"
        aria-expanded={isExpanded}
        aria-label={toggleName}
        onClick={onToggle}
      >
        <span className="sidebar-icon" aria-hidden>
          {isExpanded ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
        </span>
        {isExpanded && <span className="sidebar-text">Collapse</span>}
      </button>
    </aside>
  );
}
