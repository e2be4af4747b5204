import { lazy, Suspense } from 'react';
import { PageSkeleton } from './PageSkeleton';

/** The guide uses no antd. */
export const gamesGuidePage = async () =>
  (await import('../features/games-guide/GamesGuidePage')).GamesGuidePage;

const GamesGuidePage = lazy(async () => ({ default: await gamesGuidePage() }));

/** `/games-sdk-integration-guide`, for everybody. */
export function GamesGuideRoute() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <GamesGuidePage />
    </Suspense>
  );
}
