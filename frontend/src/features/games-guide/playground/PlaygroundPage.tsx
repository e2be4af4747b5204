import { appRoutes } from '@orange-id/contract/app.routes';
import { gamesGuidePath, playgroundPath } from '@orange-id/contract/games.guide';
import { Link } from 'react-router-dom';
import { PageHead } from '../../../ui/PageHead';
import { usePageView } from '../../../ui/usePageView';
import { Playground } from './Playground';

/** `/games-sdk-integration-guide/playground`. */
export function PlaygroundPage() {
  usePageView(playgroundPath, appRoutes[playgroundPath].title);
  return (
    <>
      <PageHead
        title="Game Playground"
        help="Run a game as the tournament platform does, and see what it still needs."
        action={<Link to={gamesGuidePath}>Games SDK Guide</Link>}
      />
      <Playground />
    </>
  );
}
