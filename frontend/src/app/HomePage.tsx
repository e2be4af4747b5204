import { lazy, Suspense } from 'react';
import { useAuth } from '../api/session/auth.context';
import { LeftPage } from '../ui/LeftPage';
import { PageSkeleton } from './PageSkeleton';
import { Splash } from './Splash';

/** Needs no theme: the dashboard uses no antd component. */
export const dashboardPage = async () => (await import('../features/dashboard/DashboardPage')).DashboardPage;

const DashboardPage = lazy(async () => ({ default: await dashboardPage() }));
const LandingPage = lazy(async () => ({
  default: (await import('../features/landing/LandingPage')).LandingPage,
}));

/**
 * `/`: the landing page when signed out, the dashboard when signed in. A skeleton until the session has been checked.
 */
export function HomePage() {
  const { isAuthenticated, isLoading } = useAuth();
  if (isLoading) return <PageSkeleton />;
  return (
    <Suspense fallback={isAuthenticated ? <PageSkeleton /> : <Splash />}>
      {isAuthenticated ? (
        <LeftPage path="/">
          <DashboardPage />
        </LeftPage>
      ) : (
        <LandingPage />
      )}
    </Suspense>
  );
}
