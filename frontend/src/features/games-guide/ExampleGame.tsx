import { useEffect } from 'react';
import { useGamesOf } from '../../api/projects/games.calls';
import { useProjects } from '../../api/projects/get.projects';

/** What the guide's examples name in place of their own key and game. */
export interface ExampleNames {
  key: string;
  /** The ID of the project's first game; `null` without one. */
  game: string | null;
}

export interface ExampleGameProps {
  onNames: (names: ExampleNames | null) => void;
}

/** Reads the signed-in user's first project and its games, for the code examples. */
export function ExampleGame({ onNames }: ExampleGameProps) {
  const project = useProjects().data?.[0];
  const games = useGamesOf(project?.code ?? null);
  const { apiKey } = project ?? {};
  const game = games.data?.[0]?.id ?? null;
  useEffect(() => {
    onNames(apiKey === undefined ? null : { key: apiKey, game });
    return () => onNames(null);
  }, [apiKey, game, onNames]);
  return null;
}
