import type { ComponentType } from 'react';
import { lazy, Suspense, useEffect } from 'react';
import { useAuth } from '../api/session/auth.context';
import type { ExampleGameProps } from '../features/games-guide/ExampleGame';
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

const ownGame = onDemand(async () => (await import('../features/games-guide/ExampleGame')).ExampleGame);

/** The signed-in user's key and game in code examples. If its code doesn't load, the examples keep their own. */
function ExampleGame(props: ExampleGameProps) {
  const { isAuthenticated } = useAuth();
  useEffect(() => {
    if (isAuthenticated) ownGame.fetch().catch(() => undefined);
  }, [isAuthenticated]);
  return isAuthenticated && <ownGame.Part {...props} />;
}

const GamesGuidePage = lazy(async () => ({ default: await gamesGuidePage() }));

const Playground = () => <LatePart part={playground} name="playground" props={{}} />;

/** `/games-sdk-integration-guide`, for everybody. */
export function GamesGuideRoute() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <GamesGuidePage Playground={Playground} ExampleGame={ExampleGame} />
    </Suspense>
  );
}
