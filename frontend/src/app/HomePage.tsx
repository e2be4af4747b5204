import { lazy, Suspense } from 'react';
import { useAuth } from '../api/auth.context';
import { PageSkeleton } from './PageSkeleton';

/** Needs no theme around it: nothing on it is antd's. */
export const dashboardPage = async () => (await import('../features/dashboard/DashboardPage')).DashboardPage;

const DashboardPage = lazy(async () => ({ default: await dashboardPage() }));
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
