import type { ProviderName } from '@orange-id/contract/identity.schema';
import { markTab, tabParameter } from '@orange-id/contract/tab.marker';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { useAuth } from '../api/auth.context';
import { isLinking, keepLinkingReturn } from '../api/linking.path';
import { inspected } from '../inspect/machine.inspect';
import { ColorModeSwitch } from './ColorModeSwitch';
import { Footer } from './Footer';
import { Header } from './Header';
import { mobileMenuMachine } from './mobile.menu.machine';
import { MobileMenu } from './MobileMenu';
import { fetchMenus } from './NavMenu';
import { fetchPagesAhead } from './pages';
import './shell.css';
import { Sidebar } from './Sidebar';
import { sidebarMachine } from './sidebar.machine';
import { keepSidebar, startsOpen } from './sidebar.storage';
import { signInDialogMachine } from './sign.in.dialog.machine';
import { SignInDialog } from './SignInDialog';
import { useRouteHandle } from './useRouteHandle';

/** To the provider's page, with this tab marked as the one in which the sign-in began. It leads to no chosen page. */
function leaveFor(provider: ProviderName): void {
  keepLinkingReturn(false);
  const tab = markTab(Date.now(), window.sessionStorage);
  window.location.assign(`/api/login?provider=${provider}&${tabParameter}=${tab}`);
}

const keptSidebarMachine = sidebarMachine.provide({
  actions: { keepChoice: (_, choice) => keepSidebar(choice) },
});

/** What stands around pages: header, sidebar when signed in, slide-in menu, footer. A bare page has the theme's switch alone. */
export function Shell() {
  const { isAuthenticated, isLoading } = useAuth();
  const { pathname } = useLocation();
  const { entry, bare } = useRouteHandle();
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

  // Not for the page it begins with: what was pressed while that was taken over is open by now.
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    menu.send({ type: 'page.opened' });
    dialog.send({ type: 'dialog.close' });
  }, [pathname, menu, dialog]);

  // A page opened in place leaves the focus on a link that may be gone; a reader should start at the page. Behind an
  // open dialog nothing can have the focus, so that has to be closed first.
  const opened = useRef(pathname);
  const isCovered = isMenuOpen || dialogState !== 'closed';
  useEffect(() => {
    if (opened.current === pathname || isCovered) return;
    opened.current = pathname;
    // Unless the page put it into a field of its own.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname, isCovered]);

  useEffect(() => (isAuthenticated ? fetchPagesAhead(fetchMenus) : undefined), [isAuthenticated]);

  const hasSidebar = isAuthenticated || isLoading;
  if (bare === 'always' || (bare && !(hasSidebar && isLinking(query))))
    return (
      <>
        <header className="bare-header">
          <ColorModeSwitch />
        </header>
        <Outlet />
      </>
    );
  return (
    <div className="shell" data-sidebar={hasSidebar ? (isExpanded ? 'expanded' : 'collapsed') : 'none'}>
      <a
        className="skip-link"
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
          entry={entry}
          isExpanded={isExpanded}
          onToggle={() => sidebar.send({ type: 'sidebar.toggle' })}
        />
      )}
      <main id="content" className="content" ref={main} tabIndex={-1}>
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
