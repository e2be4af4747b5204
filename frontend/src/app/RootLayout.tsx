import { documentTitle } from '@orange-id/contract/app.routes';
import { useEffect } from 'react';
import { Outlet, ScrollRestoration, useNavigation } from 'react-router-dom';
import { RealtimeProvider } from '../features/realtime/RealtimeProvider';
import { SessionProvider } from '../features/session/SessionProvider';
import { Tooltips } from '../ui/Tooltip';
import { useRouteHandle } from './useRouteHandle';

/** What every page has: the session, the live connection, a document title, a sign of a page on its way. */
export function RootLayout() {
  const { title, description } = useRouteHandle();
  const navigation = useNavigation();
  useEffect(() => {
    document.title = documentTitle(title);
    if (description) document.querySelector('meta[name=description]')?.setAttribute('content', description);
  }, [title, description]);
  return (
    <SessionProvider>
      <RealtimeProvider>
        {navigation.state === 'loading' && (
          <div className="page-progress" role="status" aria-label="Loading page" />
        )}
        <Outlet />
        <ScrollRestoration />
        <Tooltips />
      </RealtimeProvider>
    </SessionProvider>
  );
}
