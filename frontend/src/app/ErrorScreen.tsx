import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router-dom';
import { LightButton } from '../ui/LightButton';
import styles from './screens.module.css';

interface ErrorScreenProps {
  error: unknown;
  onRetry: () => void;
}

/** The generic error screen: the message, or 'An unexpected error occurred', and 'Try again'. */
export function ErrorScreen({ error, onRetry }: ErrorScreenProps) {
  const message = error instanceof Error && error.message ? error.message : 'An unexpected error occurred';
  return (
    <div className={styles.fullScreen} role="alert">
      <h1>Something went wrong</h1>
      <p className={styles.fullScreenWords}>{message}</p>
      <LightButton type="primary" onClick={onRetry}>
        Try again
      </LightButton>
      {/* Reloads the portal, and is also shown outside of the router. */}
      <a href="/community">Search the community</a>
    </div>
  );
}

/** Navigation failed: the router threw, or a newer release removed a chunk. */
export function NavigationError() {
  return (
    <div className={styles.fullScreen} role="alert">
      <h1>Navigation Error</h1>
      <p>Please refresh the page</p>
      <LightButton type="primary" onClick={() => window.location.reload()}>
        Refresh
      </LightButton>
    </div>
  );
}

/**
 * Browsers word a failed dynamic import differently from each other, and Vite has its own message for a failed style
 * sheet.
 */
export const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|module script failed|importing a module|unable to preload css/i.test(
    error.message,
  );

/** The error boundary of a route: for an error of the router or of the page. */
export function RouteError() {
  const error = useRouteError();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  if (isRouteErrorResponse(error) || isMissingChunk(error)) return <NavigationError />;
  return <ErrorScreen error={error} onRetry={() => void navigate(pathname + search, { replace: true })} />;
}
