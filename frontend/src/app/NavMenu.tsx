import { DownOutlined } from '@ant-design/icons';
import { Button, Dropdown, type MenuProps } from 'antd';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { GoTo } from '../ui/GoTo';
import type { NavLink } from './links';

interface NavMenuProps {
  label: string;
  links: NavLink[];
  /** In place of the button with the label. */
  trigger?: ReactNode;
  /** Words above the links. */
  head?: ReactNode;
  /** Entries after the links, for acts rather than places. */
  more?: NonNullable<MenuProps['items']>;
}

/** A menu of the header: opens by click or keyboard, arrows move, Escape closes, Enter goes. */
export function NavMenu({ label, links, trigger, head, more = [] }: NavMenuProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);

  const items: MenuProps['items'] = [
    ...(head ? [{ key: 'head', label: head, disabled: true }, { type: 'divider' as const }] : []),
    ...links.map((link) => ({
      key: link.to,
      label: <GoTo {...link}>{link.label}</GoTo>,
    })),
    ...more,
  ];

  const onClick: MenuProps['onClick'] = ({ key, domEvent }) => {
    // A click, or Enter on a link reached by arrow, follows the link itself; Enter on the entry around it does not.
    if (domEvent.type !== 'keydown' || (domEvent.target as Element).closest('a')) return;
    const link = links.find(({ to }) => to === key);
    if (link?.isExternal) window.open(link.to, '_blank', 'noreferrer');
    else if (link) void navigate(link.to);
  };

  // The menu lies elsewhere in the document: closed by Escape, it would leave the focus nowhere.
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') place.current?.querySelector('button')?.focus();
  };

  return (
    <span ref={place} className="nav-menu">
      <Dropdown
        trigger={['click']}
        autoFocus
        destroyOnHidden
        open={isOpen}
        onOpenChange={setOpen}
        menu={{ items, onClick, onKeyDown, 'aria-label': label }}
        placement={trigger ? 'bottomRight' : 'bottomLeft'}
      >
        {trigger ?? (
          <Button type="text" aria-haspopup="menu" aria-expanded={isOpen}>
            {label} <DownOutlined className="nav-menu-mark" />
          </Button>
        )}
      </Dropdown>
    </span>
  );
}
