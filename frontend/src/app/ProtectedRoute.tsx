import { Skeleton } from 'antd';
import { Navigate, Outlet } from 'react-router-dom';
import { useAuth } from '../api/auth.context';

/** Pages that require sign-in: /login for everybody else, nothing of the page before the session is judged. */
export function ProtectedRoute() {
  const { isAuthenticated, isLoading } = useAuth();
  if (isLoading) return <PageSkeleton />;
  return isAuthenticated ? <Outlet /> : <Navigate to="/login" replace />;
}

/** The shape of a page head and a card, so that nothing jumps when the page arrives. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton
        active
        title={{ width: 'min(240px, 60%)' }}
        paragraph={{ rows: 1, width: 'min(360px, 90%)' }}
      />
      <Skeleton className="page-skeleton-card" active title={false} paragraph={{ rows: 5 }} />
    </div>
  );
}
