import { useId, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { onDemand } from '../ui/on.demand';
import { useToast } from '../ui/toast';
import { useHydrated } from '../ui/useHydrated';
import type { NavLink } from './links';
import type { FirstFocus, MenuAct } from './NavMenuList';
import styles from './nav-menu.module.css';

interface NavMenuProps {
  /** The accessible name of the menu. */
  label: string;
  links: NavLink[];
  acts?: MenuAct[];
  /** Content above the entries. */
  head?: ReactNode;
  align?: 'start' | 'end';
  /** The button's content; needs `name` if it isn't text. */
  children: ReactNode;
  name?: string;
  className: string | undefined;
}

const list = onDemand(async () => (await import('./NavMenuList')).NavMenuList);

/** Preloads the code of the menus, so that they open without the network. */
export const fetchMenus = (): Promise<void> => list.fetch();

/** A menu in the header. Its button renders at once; the list's code loads on hover, focus or click. */
export function NavMenu({
  label,
  links,
  acts = [],
  head,
  align = 'start',
  children,
  name,
  className,
}: NavMenuProps) {
  const toast = useToast();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<{ focus: FirstFocus } | null>(null);
  const isThere = list.useIsThere();
  const isHydrated = useHydrated();

  const open = (focus: FirstFocus) => {
    setOpened({ focus });
    list.fetch().catch(() => {
      setOpened(null);
      toast({
        tone: 'error',
        title: 'Failed to load the menu',
        description: 'Check your connection and try again.',
      });
    });
  };
  // A click with `detail` 0 comes from Enter, Space or a screen reader.
  const onClick = ({ detail }: MouseEvent) =>
    opened ? setOpened(null) : open(detail === 0 ? 'first' : null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    open(event.key === 'ArrowDown' ? 'first' : 'last');
  };
  const fetchAhead = () => void list.fetch().catch(() => undefined);

  return (
    <span className={styles.place}>
      <button
        ref={button}
        id={id}
        type="button"
        className={className}
        disabled={!isHydrated}
        aria-haspopup="menu"
        aria-expanded={opened !== null && isThere}
        aria-label={name}
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        {children}
      </button>
      <list.Part
        label={label}
        links={links}
        acts={acts}
        head={head}
        align={align}
        button={button}
        isOpen={opened !== null}
        firstFocus={opened?.focus ?? null}
        onClose={() => setOpened(null)}
      />
    </span>
  );
}
