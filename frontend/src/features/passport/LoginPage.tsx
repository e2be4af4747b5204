import { Alert } from 'antd';
import { useEffect } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { useAuth } from '../../api/session/auth.context';
import { isStorageBlocked } from '../../api/blocked.storage';
import { isLinking, keepLinkingReturn } from '../../api/account/linking.path';
import { readSource } from '../../api/session/source.storage';
import { Logo } from '../../ui/Logo';
import { AppSignIn, AppSignInSkeleton } from './AppSignIn';
import { LinkPage } from './LinkPage';
import { PanelSkeleton, PassportPanel } from './PassportPanel';
import styles from './passport.module.css';

/**
 * `/login`: the sign-in page. It redirects signed-in users, except with `?from=profile`: their sign-in methods. With
 * `?app=` it signs in to another site.
 */
export function LoginPage() {
  const { isAuthenticated, isLoading, wasCutShort } = useAuth();
  const [query] = useSearchParams();
  const forLinking = isLinking(query);
  const flowId = query.get('app');
  useEffect(() => {
    if (flowId === null && !isAuthenticated && !isLoading) keepLinkingReturn(forLinking);
  }, [flowId, isAuthenticated, isLoading, forLinking]);
  if (flowId !== null) return isLoading ? <AppSignInSkeleton /> : <AppSignIn key={flowId} flowId={flowId} />;
  if (isAuthenticated && !forLinking) return <Navigate to={readSource() ? '/orange-id' : '/'} replace />;
  if (forLinking && (isAuthenticated || isLoading)) return <LinkPage />;

  return (
    <main className={styles.loginPage}>
      <section className={styles.loginWords} aria-label="About Orange ID">
        <Link to="/" className={styles.loginLogo}>
          <Logo />
        </Link>
        <div className={styles.loginPitch}>
          <p className={`page-title ${styles.loginPitchTitle}`}>One sign-in for every app you build.</p>
          <ol className={`stack ${styles.loginSteps}`}>
            <li>Sign in or create an account.</li>
            <li>Create a project, add its URLs and get an API key.</li>
            <li>Call the API and watch the call arrive live.</li>
          </ol>
        </div>
      </section>
      <section className={styles.loginPlace} aria-label="Sign in">
        <h1 className="visually-hidden">Sign in</h1>
        {isStorageBlocked() && (
          <Alert
            className={styles.loginPanel}
            type="warning"
            showIcon
            role="alert"
            title={`Your browser blocks site data for ${window.location.host}`}
            description="Without it you stay signed in only until this page closes or reloads, and sign-in with Google or Apple fails. Allow cookies and site data for this site in your browser’s settings, and reload the page."
          />
        )}
        {wasCutShort && (
          <Alert
            className={styles.loginPanel}
            type="info"
            showIcon
            role="status"
            title="You were signed out. Sign in again to continue."
          />
        )}
        {isLoading ? <PanelSkeleton /> : <PassportPanel />}
      </section>
    </main>
  );
}
