import { docsTabs, type DocsTab } from '@orange-id/contract/docs.tabs';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useHydrated } from '../../ui/useHydrated';
import { PanelOpened } from '../../ui/DocsCode';
import textStyles from '../../ui/docs-text.module.css';
import styles from './docs.module.css';

const names = Object.keys(docsTabs) as DocsTab[];

const steps: Record<string, (place: number) => number> = {
  ArrowLeft: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  Home: () => 0,
  End: () => names.length - 1,
};

/** The tabs: links to the anchors of the panels, so that they also work without scripts. */
export function DocsTabs({ tab }: { tab: DocsTab }) {
  const list = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();

  // On a phone the tabs are wider than the screen, so the selected one is scrolled into view.
  useEffect(() => {
    const box = list.current;
    const selected = box?.querySelector<HTMLElement>('[aria-selected=true]');
    if (!box || !selected) return;
    const end = selected.offsetLeft + selected.offsetWidth - box.offsetLeft;
    box.scrollLeft = Math.max(0, end - box.clientWidth);
  }, [tab]);

  const move = (event: KeyboardEvent) => {
    const place = steps[event.key]?.(names.indexOf(tab));
    const next = place === undefined ? undefined : names.at(place % names.length);
    if (!next) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
    void navigate({ hash: next });
  };
  return (
    <div className={styles.tabs} role="tablist" aria-label="Documentation" ref={list} onKeyDown={move}>
      {names.map((name) => (
        <Link
          key={name}
          id={`tab-${name}`}
          role="tab"
          to={{ hash: name }}
          aria-controls={name}
          aria-selected={name === tab}
          tabIndex={name === tab ? 0 : -1}
        >
          {docsTabs[name]}
        </Link>
      ))}
    </div>
  );
}

interface DocsPanelProps {
  name: DocsTab;
  tab: DocsTab;
  children: ReactNode;
}

/**
 * A tab's panel. Before hydration, the style sheet hides all panels but the selected one, by the attribute that
 * `boot.ts` sets from the URL. Without scripts, all panels show, one below the other.
 */
export function DocsPanel({ name, tab, children }: DocsPanelProps) {
  const isHydrated = useHydrated();
  const [isOpened, setOpened] = useState(false);
  if (isHydrated && name === tab && !isOpened) setOpened(true);
  return (
    <div
      id={name}
      className={name === 'explorer' ? styles.panel : `${styles.panel} ${textStyles.withContents}`}
      role="tabpanel"
      aria-labelledby={`tab-${name}`}
      hidden={isHydrated && name !== tab}
    >
      <PanelOpened value={isOpened}>{children}</PanelOpened>
    </div>
  );
}
