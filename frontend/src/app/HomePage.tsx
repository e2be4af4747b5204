import { lazy, Suspense } from 'react';
import { useAuth } from '../api/auth.context';
import { PageSkeleton } from './PageSkeleton';
import { themedPage } from './themed.page';

export const dashboardPage = async () => (await import('../features/dashboard/DashboardPage')).DashboardPage;

const DashboardPage = lazy(async () => ({ default: (await themedPage(dashboardPage)).Component }));
const LandingPage = lazy(async () => ({
  default: (await import('../features/landing/LandingPage')).LandingPage,
}));

/** `/`: the landing page when signed out, the dashboard when signed in; never one before the other. */
export function HomePage() {
  const { isAuthenticated, isLoading } = useAuth();
  if (isLoading) return <PageSkeleton />;
  return (
    <Suspense fallback={<PageSkeleton />}>{isAuthenticated ? <DashboardPage /> : <LandingPage />}</Suspense>
  );
}
