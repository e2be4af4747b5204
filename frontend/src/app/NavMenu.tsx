import { DownOutlined } from '@ant-design/icons';
import { Button, Dropdown, type MenuProps } from 'antd';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { GoTo } from '../ui/GoTo';
import type { NavLink } from './links';

interface NavMenuProps {
  label: string;
  links: NavLink[];
  /** In place of the button with the label. */
  trigger?: ReactNode;
  /** Entries after the links, for acts rather than places. */
  more?: NonNullable<MenuProps['items']>;
}

/** A menu of the header: opens by click or keyboard, arrows move, Escape closes, Enter goes. */
export function NavMenu({ label, links, trigger, more = [] }: NavMenuProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);

  const items: MenuProps['items'] = [
    ...links.map((link) => ({
      key: link.to,
      label: <GoTo {...link}>{link.label}</GoTo>,
    })),
    ...more,
  ];

  const onClick: MenuProps['onClick'] = ({ key, domEvent }) => {
    // A click falls on the link itself; a key falls on the entry around it.
    if (domEvent.type !== 'keydown') return;
    const link = links.find(({ to }) => to === key);
    if (link?.isExternal) window.open(link.to, '_blank', 'noreferrer');
    else if (link) void navigate(link.to);
  };

  return (
    <Dropdown
      trigger={['click']}
      autoFocus
      open={isOpen}
      onOpenChange={setOpen}
      menu={{ items, onClick, 'aria-label': label }}
      placement="bottomRight"
    >
      {trigger ?? (
        <Button type="text" aria-haspopup="menu" aria-expanded={isOpen}>
          {label} <DownOutlined className="nav-menu-mark" />
        </Button>
      )}
    </Dropdown>
  );
}
