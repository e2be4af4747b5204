import { Outlet, ScrollRestoration, useNavigation } from 'react-router-dom';
import { RealtimeProvider } from '../features/realtime/RealtimeProvider';
import { SessionProvider } from '../features/session/SessionProvider';
import { useRouteHandle } from './useRouteHandle';

/** What every page has: the session, the live connection, a document title, a sign of a page on its way. */
export function RootLayout() {
  const { title } = useRouteHandle();
  const navigation = useNavigation();
  return (
    <SessionProvider>
      <RealtimeProvider>
        <title>{title ? `${title} · Orange ID for developers` : 'Orange ID for developers'}</title>
        {navigation.state === 'loading' && (
          <div className="page-progress" role="status" aria-label="Loading page" />
        )}
        <Outlet />
        <ScrollRestoration />
      </RealtimeProvider>
    </SessionProvider>
  );
}
