import { ExportOutlined } from '@ant-design/icons';
import * as Radix from '@radix-ui/react-dropdown-menu';
import {
  useEffect,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefCallback,
  type RefObject,
} from 'react';
import { Link } from 'react-router-dom';
import { useTriggerElement } from '../ui/trigger.element';
import type { NavLink } from './links';
import { SoonMark } from './SoonMark';
import styles from './nav-menu.module.css';

/** An entry that runs an action instead of opening a page. */
export interface MenuAct {
  label: string;
  icon: ReactNode;
  onSelect: () => void;
}

/** The entry to focus when the menu opens; none after a pointer click. */
export type FirstFocus = 'first' | 'last' | null;

interface NavMenuListProps {
  label: string;
  links: NavLink[];
  acts: MenuAct[];
  head?: ReactNode;
  align: 'start' | 'end';
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  firstFocus: FirstFocus;
  onClose: () => void;
}

/** The list of a header menu. Arrow keys move, letters typed within 1 s search, Enter selects, Escape and Tab close. */
export function NavMenuList(props: NavMenuListProps) {
  const { label, links, acts, head, align, button, isOpen, firstFocus, onClose } = props;
  const content = useRef<HTMLDivElement>(null);

  // Radix focuses the list only when it mounts. A list reopened during its fade-out is still mounted.
  useEffect(() => {
    if (isOpen) content.current?.focus({ preventScroll: true });
  }, [isOpen]);

  // Restores the focus at once instead of after the fade-out, because the page or dialog being opened may move it.
  const close = () => {
    if (content.current?.contains(document.activeElement)) button.current?.focus();
    onClose();
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const { target, currentTarget } = event;
    if (target !== currentTarget || firstFocus === null) return;
    // Radix would focus the first entry, and only if the list was mounted at the key press.
    event.preventDefault();
    const entries = currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]');
    entries[firstFocus === 'first' ? 0 : entries.length - 1]?.focus();
  };
  // Radix blocks Tab in a menu. With the focus back on the button, the browser's Tab moves to the next element.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    event.stopPropagation();
    close();
  };

  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && close()} modal={false}>
      <Radix.Trigger asChild>
        <MenuButton button={button} />
      </Radix.Trigger>
      <Radix.Content
        ref={content}
        className={styles.root}
        data-rich={links.some(({ help }) => help) || undefined}
        aria-label={label}
        aria-labelledby={undefined}
        align={align}
        // Tab skips the menu during its fade-out.
        inert={!isOpen}
        sideOffset={8}
        collisionPadding={8}
        loop
        onFocus={onFocus}
        onKeyDownCapture={onKeyDownCapture}
        onCloseAutoFocus={(event) => event.preventDefault()}
        onInteractOutside={(event) => {
          // The button's own click closes the menu. If it were closed before, that click would reopen it.
          if (button.current?.contains(event.target as Node)) event.preventDefault();
        }}
      >
        {head && (
          <>
            <Radix.Label className={styles.head}>{head}</Radix.Label>
            <Radix.Separator className={styles.separator} />
          </>
        )}
        {links.map((link) => (
          <MenuLink key={link.to} {...link} />
        ))}
        {acts.length > 0 && <Radix.Separator className={styles.separator} />}
        {acts.map(({ label, icon, onSelect }) => (
          <Radix.Item key={label} className={styles.entry} onSelect={onSelect}>
            <span className={styles.icon} aria-hidden>
              {icon}
            </span>
            <span className={styles.label}>{label}</span>
          </Radix.Item>
        ))}
      </Radix.Content>
    </Radix.Root>
  );
}

function MenuLink({ label, to, isExternal, isSoon, icon, help }: NavLink) {
  const inside = (
    <>
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      <span>
        <span className={styles.label}>
          {label}
          {isSoon && <SoonMark />}
          {isExternal && (
            <>
              <ExportOutlined className="goto-mark" aria-hidden />
              <span className="visually-hidden"> (opens in a new tab)</span>
            </>
          )}
        </span>
        {help && <span className={styles.help}>{help}</span>}
      </span>
    </>
  );
  return (
    <Radix.Item asChild textValue={label}>
      {isExternal ? (
        <a className={styles.entry} href={to} target="_blank" rel="noreferrer">
          {inside}
        </a>
      ) : (
        <Link className={styles.entry} to={to}>
          {inside}
        </Link>
      )}
    </Radix.Item>
  );
}

/** Positions the menu at the button, which renders before Radix loads. */
function MenuButton({
  button,
  ref,
}: {
  button: RefObject<HTMLButtonElement | null>;
  ref?: RefCallback<HTMLElement>;
}) {
  useTriggerElement(ref, button.current as HTMLElement);
  return null;
}
