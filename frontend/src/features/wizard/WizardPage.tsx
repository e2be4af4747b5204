import { Alert, Button, Skeleton } from 'antd';
import { useLayoutEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useAuth } from '../../api/auth.context';
import { rememberSource } from '../../api/source.storage';
import { PageHead } from '../../ui/PageHead';
import { Wizard } from './Wizard';

/** `/orange-id` (spec §2): remembers `?source=`, sends visitors to sign in, shows the wizard to everybody else. */
export function WizardPage() {
  const { isAuthenticated, isLoading, user } = useAuth();
  const { search } = useLocation();

  // Before the redirect below takes the query away.
  useLayoutEffect(() => rememberSource(search), [search]);

  if (!isLoading && !isAuthenticated) return <Navigate to="/login" replace />;
  return (
    <>
      <PageHead
        title="Create a project"
        help="Name it, say where it runs, and make your first call with its API key."
      />
      {user ? <Wizard key={user.id} user={user} /> : isLoading ? <Skeleton active /> : <UserMissing />}
    </>
  );
}

/** The identity service did not answer: whether the profile is complete cannot be known, so nothing is claimed about it. */
function UserMissing() {
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title="Your profile could not be loaded"
      description="A project needs your email and display name, and the identity service does not answer at the moment."
      action={<Button onClick={() => window.location.reload()}>Try again</Button>}
    />
  );
}
