import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { markTab, tabParameter } from '@orange-id/contract/tab.marker';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { useAuth } from '../api/session/auth.context';
import { isLinking, keepLinkingReturn } from '../api/account/linking.path';
import { inspected } from '../inspect/machine.inspect';
import { ColorModeSwitch } from './ColorModeSwitch';
import { Footer } from './Footer';
import { Header } from './Header';
import { mobileMenuMachine } from './mobile.menu.machine';
import { MobileMenu } from './MobileMenu';
import { fetchMenus } from './NavMenu';
import { fetchPagesAhead } from './pages';
import { fetchQuickSearch } from './QuickSearchButton';
import { Sidebar } from './Sidebar';
import { sidebarMachine } from './sidebar.machine';
import { keepSidebar, startsOpen } from './sidebar.storage';
import { signInDialogMachine } from './sign.in.dialog.machine';
import { SignInDialog } from './SignInDialog';
import { useRouteHandle } from './useRouteHandle';
import styles from './shell.module.css';

/**
 * Marks this tab as the one that started the sign-in and opens the provider's page. The sign-in then returns to the
 * usual page, not to the sign-in methods.
 */
function leaveFor(provider: ProviderName): void {
  keepLinkingReturn(false);
  const tab = markTab(Date.now(), window.sessionStorage);
  window.location.assign(`/api/login?provider=${provider}&${tabParameter}=${tab}`);
}

const keptSidebarMachine = sidebarMachine.provide({
  actions: { keepChoice: (_, choice) => keepSidebar(choice) },
});

/**
 * The layout of every page: header, sidebar if signed in, slide-in menu, footer. A bare page has only the theme switch.
 */
export function Shell() {
  const { isAuthenticated, isLoading } = useAuth();
  const { pathname } = useLocation();
  const { page, below, bare } = useRouteHandle();
  const [query] = useSearchParams();
  const main = useRef<HTMLElement>(null);

  const [isLeftOpen] = useState(startsOpen);
  const sidebar = useActorRef(keptSidebarMachine, { ...inspected, input: { isLeftOpen } });
  const isExpanded = useSelector(sidebar, (snapshot) => snapshot.matches('expanded'));
  const menu = useActorRef(mobileMenuMachine, inspected);
  const isMenuOpen = useSelector(menu, (snapshot) => snapshot.matches('open'));
  const dialogMachine = useMemo(
    () =>
      signInDialogMachine.provide({
        actions: { leave: (_, { provider }) => leaveFor(provider) },
      }),
    [],
  );
  const dialog = useActorRef(dialogMachine, inspected);
  const dialogState = useSelector(dialog, (snapshot) => snapshot.value);

  // Skips the first page: a menu opened during hydration stays open.
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    menu.send({ type: 'page.opened' });
    dialog.send({ type: 'dialog.close' });
  }, [pathname, menu, dialog]);

  // After in-app navigation the focus may be on a link that is gone; keyboard and screen reader should start at the new
  // page. A modal dialog keeps the focus, so this waits until it is closed.
  const opened = useRef(pathname);
  const isCovered = isMenuOpen || dialogState !== 'closed';
  useEffect(() => {
    if (opened.current === pathname || isCovered) return;
    opened.current = pathname;
    // Unless the page has focused one of its own fields.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname, isCovered]);

  useEffect(
    () => (isAuthenticated ? fetchPagesAhead(fetchMenus, fetchQuickSearch) : undefined),
    [isAuthenticated],
  );

  const hasSidebar = isAuthenticated || isLoading;
  if (bare === 'always' || (bare && !(hasSidebar && isLinking(query))))
    return (
      <>
        <header className={styles.bareHeader}>
          <ColorModeSwitch />
        </header>
        <Outlet />
      </>
    );
  return (
    <div className={styles.root} data-sidebar={hasSidebar ? (isExpanded ? 'expanded' : 'collapsed') : 'none'}>
      <a
        className={styles.skipLink}
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <Header onMenu={() => menu.send({ type: 'menu.open' })} isMenuOpen={isMenuOpen} />
      {hasSidebar && (
        <Sidebar
          page={page}
          below={below}
          isExpanded={isExpanded}
          onToggle={() => sidebar.send({ type: 'sidebar.toggle' })}
        />
      )}
      <main id="content" className={styles.content} ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      <MobileMenu
        isOpen={isMenuOpen}
        onClose={() => menu.send({ type: 'menu.close' })}
        onPage={() => menu.send({ type: 'page.opened' })}
        onSignIn={() => {
          menu.send({ type: 'menu.close' });
          dialog.send({ type: 'dialog.open' });
        }}
      />
      <SignInDialog
        state={dialogState}
        onChoose={(provider) => dialog.send({ type: 'provider.choose', provider })}
        onClose={() => dialog.send({ type: 'dialog.close' })}
      />
    </div>
  );
}
