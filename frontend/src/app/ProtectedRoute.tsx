import { useLayoutEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useAuth } from '../api/session/auth.context';
import { rememberPage } from '../api/session/left.page';
import { PageSkeleton } from './PageSkeleton';

/**
 * Pages that require sign-in: other visitors go to /login, and back after they have signed in; a skeleton shows until the
 * session has been checked.
 */
export function ProtectedRoute() {
  const { isAuthenticated, isLoading, wasCutShort } = useAuth();
  const { pathname, search } = useLocation();
  // A user who signs out here is not sent back after the next sign-in.
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (isAuthenticated && !wasSignedIn) setWasSignedIn(true);
  const isReturning = !isLoading && !isAuthenticated && (wasCutShort || !wasSignedIn);
  // A layout effect runs before the redirect below.
  useLayoutEffect(() => {
    if (isReturning) rememberPage(pathname + search);
  }, [isReturning, pathname, search]);
  if (isLoading) return <PageSkeleton />;
  return isAuthenticated ? <Outlet /> : <Navigate to="/login" replace />;
}
