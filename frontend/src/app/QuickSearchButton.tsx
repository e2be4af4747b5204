import { SearchOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { isComposing, shortcutLetter } from '@orange-id/contract/typed.key';
import { LightButton } from '../ui/LightButton';
import { onDemand } from '../ui/on.demand';
import { useToast } from '../ui/toast';
import { useHydrated } from '../ui/useHydrated';
import { LightDialog } from './LightDialog';
import styles from './quick-search-button.module.css';

const search = onDemand(async () => (await import('../features/quick-search/QuickSearch')).QuickSearch);

/** Preloads the code of the quick search, so that it opens without the network. */
export const fetchQuickSearch = (): Promise<void> => search.fetch();

/** The shortcut as keyboards name it. */
const shortcutName = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K');

/** Whether a modal dialog is open, which may hold a secret or a draft and must not be covered. */
const isCovered = () => document.querySelector('dialog[open], .ant-modal-wrap:not([style*="none"])') !== null;

/** The button in the header that opens the quick search, and its dialog. ⌘K and Ctrl+K open and close it. */
export function QuickSearchButton() {
  const [isOpen, setOpen] = useState(false);
  const isThere = search.useIsThere();
  // Unknown while the page is prerendered.
  const shortcut = useHydrated() ? shortcutName() : '';
  const toast = useToast();
  const open = () => {
    setOpen(true);
    search.fetch().catch(() => {
      setOpen(false);
      toast({
        tone: 'error',
        title: 'Failed to load the search',
        description: 'Check your connection and try again.',
      });
    });
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (shortcutLetter(event) !== 'k' || isComposing(event) || event.altKey || event.shiftKey) return;
      if (!event.metaKey && !event.ctrlKey) return;
      if (!isOpen && isCovered()) return;
      // Browsers would open their own search.
      event.preventDefault();
      if (isOpen) setOpen(false);
      else open();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });

  return (
    <>
      <LightButton
        type="text"
        className={styles.button}
        icon={<SearchOutlined aria-hidden />}
        aria-label="Search"
        aria-keyshortcuts="Meta+K Control+K"
        aria-haspopup="dialog"
        onClick={open}
      >
        {/* Shown by CSS, not as text, because the shortcut isn't part of the button's name. */}
        <kbd aria-hidden data-keys={shortcut} />
      </LightButton>
      <LightDialog
        title={<span className="visually-hidden">Search</span>}
        className={styles.dialog}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {isOpen &&
          (isThere ? (
            <search.Part onGo={() => setOpen(false)} />
          ) : (
            <p className={styles.wait} role="status">
              Loading …
            </p>
          ))}
      </LightDialog>
    </>
  );
}
