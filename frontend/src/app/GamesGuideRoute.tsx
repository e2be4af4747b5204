import type { ComponentType } from 'react';
import { lazy, Suspense } from 'react';
import { onDemand } from '../ui/on.demand';
import { LatePart } from './LatePart';
import { PageSkeleton } from './PageSkeleton';

/** The guide uses no antd, unlike the playground. */
export const gamesGuidePage = async () =>
  (await import('../features/games-guide/GamesGuidePage')).GamesGuidePage;

const playground = onDemand(async (): Promise<ComponentType> => {
  const [{ Themed }, { Playground }] = await Promise.all([
    import('./Themed'),
    import('../features/games-guide/playground/Playground'),
  ]);
  return () => (
    <Themed>
      <Playground />
    </Themed>
  );
});

const GamesGuidePage = lazy(async () => ({ default: await gamesGuidePage() }));

const Playground = () => <LatePart part={playground} name="playground" props={{}} />;

/** `/games-sdk-integration-guide`, for everybody. */
export function GamesGuideRoute() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <GamesGuidePage Playground={Playground} />
    </Suspense>
  );
}
