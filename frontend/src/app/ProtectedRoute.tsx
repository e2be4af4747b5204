import { Navigate, Outlet } from 'react-router-dom';
import { useAuth } from '../api/auth.context';
import { PageSkeleton } from './PageSkeleton';

/** Pages that require sign-in: /login for everybody else, nothing of the page before the session is judged. */
export function ProtectedRoute() {
  const { isAuthenticated, isLoading } = useAuth();
  if (isLoading) return <PageSkeleton />;
  return isAuthenticated ? <Outlet /> : <Navigate to="/login" replace />;
}
