import { Outlet, ScrollRestoration, useNavigation } from 'react-router-dom';
import { RealtimeProvider } from '../features/realtime/RealtimeProvider';
import { SessionProvider } from '../features/session/SessionProvider';
import { Tooltips } from '../ui/Tooltip';
import { DocumentTitle } from './DocumentTitle';
import styles from './page-progress.module.css';

/** What every page needs: the session, the live connection, the document title and the loading bar. */
export function RootLayout() {
  const navigation = useNavigation();
  return (
    <SessionProvider>
      <DocumentTitle />
      <RealtimeProvider>
        {navigation.state === 'loading' && (
          <div className={styles.root} role="status" aria-label="Loading page" />
        )}
        <Outlet />
        <ScrollRestoration />
        <Tooltips />
      </RealtimeProvider>
    </SessionProvider>
  );
}
