import { Alert, Button, Skeleton } from 'antd';
import { useLayoutEffect, useState } from 'react';
import { Navigate, useLocation, useNavigationType } from 'react-router-dom';
import { useAuth } from '../../api/auth.context';
import { rememberArrival, rememberSource } from '../../api/source.storage';
import { PageHead } from '../../ui/PageHead';
import { createdParameter } from './project.recall';
import { Wizard } from './Wizard';

/** `/orange-id`: stores `?source=`, redirects visitors to sign-in and back, and shows the wizard to signed-in users. */
export function WizardPage() {
  const { isAuthenticated, isLoading, user } = useAuth();
  const { search } = useLocation();

  const isVisitor = !isLoading && !isAuthenticated;
  // A user who signs out here is not sent back after the next sign-in.
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (isAuthenticated && !wasSignedIn) setWasSignedIn(true);

  // A layout effect runs before the redirect below drops the query.
  useLayoutEffect(() => {
    rememberSource(search);
    if (isVisitor && !wasSignedIn) rememberArrival();
  }, [search, isVisitor, wasSignedIn]);
  const visit = useVisit();

  if (isVisitor) return <Navigate to="/login" replace />;
  return (
    <>
      <PageHead
        title="Create a project"
        help="Name it, add the URLs it runs on, and make your first call with its API key."
      />
      {user ? (
        <Wizard key={`${user.id} ${visit}`} user={user} />
      ) : isLoading ? (
        <Skeleton active />
      ) : (
        <UserMissing />
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

/** Shown if the identity service doesn't respond: the page can't know whether the profile is complete. */
function UserMissing() {
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title="Failed to load your profile"
      description="We need your email and display name to create a project, but the identity service isn’t responding."
      action={<Button onClick={() => window.location.reload()}>Try again</Button>}
    />
  );
}
