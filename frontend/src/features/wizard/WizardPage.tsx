import { Alert, Button, Skeleton } from 'antd';
import { useLayoutEffect, useState } from 'react';
import { Navigate, useLocation, useNavigationType } from 'react-router-dom';
import { useAuth } from '../../api/auth.context';
import { rememberArrival, rememberSource } from '../../api/source.storage';
import { PageHead } from '../../ui/PageHead';
import { createdParameter } from './project.recall';
import { Wizard } from './Wizard';

/** `/orange-id`: remembers `?source=`, sends visitors to sign in and has them come back, shows the wizard to everybody else. */
export function WizardPage() {
  const { isAuthenticated, isLoading, user } = useAuth();
  const { search } = useLocation();

  const isVisitor = !isLoading && !isAuthenticated;
  // Who signs out here does not ask to come back.
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (isAuthenticated && !wasSignedIn) setWasSignedIn(true);

  // Before the redirect below takes the query away.
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

/** Counts the visits that ask for another project, or for none, while the page stays open; its own changes of the address are none. */
function useVisit(): number {
  const type = useNavigationType();
  const { search } = useLocation();
  const created = new URLSearchParams(search).get(createdParameter);
  const [last, setLast] = useState({ created, visit: 0 });
  if (created !== last.created) setLast({ created, visit: last.visit + (type === 'REPLACE' ? 0 : 1) });
  return last.visit;
}

/** The identity service did not answer: whether the profile is complete cannot be known, so nothing is claimed about it. */
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
