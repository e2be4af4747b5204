import { Skeleton } from 'antd';
import { useLayoutEffect, useState } from 'react';
import { Navigate, useLocation, useNavigationType } from 'react-router-dom';
import { useAuth } from '../../api/session/auth.context';
import { rememberPage } from '../../api/session/left.page';
import { rememberArrival, rememberSource } from '../../api/session/source.storage';
import { useKnownUser } from '../../api/session/useKnownUser';
import { LeftPage } from '../../ui/LeftPage';
import { LoadFailure } from '../../ui/LoadFailure';
import { PageHead } from '../../ui/PageHead';
import { createdParameter } from './project.recall';
import { Wizard } from './Wizard';

const heads = {
  start: {
    title: 'Create a project',
    help: 'Name it, add the URLs it runs on, and make your first call with its API key.',
  },
  created: {
    title: 'Set up your project',
    help: 'Copy its API key, make your first call, then add sign-in to your app.',
  },
};

/** `/orange-id`: stores `?source=`, redirects visitors to sign-in and back, and shows the wizard to signed-in users. */
export function WizardPage() {
  const { isAuthenticated, isLoading, wasCutShort } = useAuth();
  const { user, error, retry } = useKnownUser();
  const { pathname, search } = useLocation();

  const isVisitor = !isLoading && !isAuthenticated;
  // A user who signs out here is not sent back after the next sign-in.
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (isAuthenticated && !wasSignedIn) setWasSignedIn(true);

  // A layout effect runs before the redirect below drops the query.
  useLayoutEffect(() => {
    rememberSource(search);
    if (isVisitor && !wasSignedIn) rememberArrival();
    if (isVisitor && (wasCutShort || !wasSignedIn)) rememberPage(pathname + search);
  }, [pathname, search, isVisitor, wasSignedIn, wasCutShort]);
  const visit = useVisit();

  if (isVisitor) return <Navigate to="/login" replace />;
  return (
    <>
      <PageHead {...(new URLSearchParams(search).has(createdParameter) ? heads.created : heads.start)} />
      {user ? (
        <LeftPage path="/orange-id?">
          <Wizard key={`${user.id} ${visit}`} user={user} />
        </LeftPage>
      ) : error ? (
        // Only the profile says whether the account has the email and display name that a project requires.
        <LoadFailure title="Failed to load your profile" error={error} onRetry={retry} />
      ) : (
        <Skeleton active />
      )}
    </>
  );
}

/**
 * Counts navigations that change `?created=` while the page stays open, so that each one starts a new wizard. The
 * wizard changes the address with `replace`, which doesn't count.
 */
function useVisit(): number {
  const type = useNavigationType();
  const { search } = useLocation();
  const created = new URLSearchParams(search).get(createdParameter);
  const [last, setLast] = useState({ created, visit: 0 });
  if (created !== last.created) setLast({ created, visit: last.visit + (type === 'REPLACE' ? 0 : 1) });
  return last.visit;
}
