import { Navigate, Outlet } from 'react-router-dom';
import { useAuth } from '../api/session/auth.context';
import { PageSkeleton } from './PageSkeleton';

/** Pages that require sign-in: other visitors go to /login; a skeleton shows until the session has been checked. */
export function ProtectedRoute() {
  const { isAuthenticated, isLoading } = useAuth();
  if (isLoading) return <PageSkeleton />;
  return isAuthenticated ? <Outlet /> : <Navigate to="/login" replace />;
}
