import { useEffect, useState } from 'react';
import { addOwnScore, getOwnGameData, saveOwnGameData } from '../../../api/projects/games.calls';
import { GameKeeper } from './game.keeper';
import { readSaved, writeSaved } from './game.source';

/** The game of a project that keeps the data of the game in the playground. */
export interface KeptIn {
  project: string;
  game: string;
}

interface Kept {
  keeper: GameKeeper | null;
  /** Why the project can't be reached at all. */
  error: unknown;
  /** What went wrong with the last save or score. */
  problem: string | null;
}

const nothing: Kept = { keeper: null, error: null, problem: null };

/**
 * Opens the data that a project keeps for the user; `place` is `null` if it stays in this browser. What the browser has
 * under `name` moves to a project that has nothing yet.
 */
export function useGameKeeper(place: KeptIn | null, name: string): Kept & { retry: () => void } {
  const [kept, setKept] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  const { project, game } = place ?? {};
  useEffect(() => {
    if (project === undefined || game === undefined) return undefined;
    let isCurrent = true;
    const update = (part: Partial<Kept>) => {
      if (isCurrent) setKept((now) => ({ ...now, ...part }));
    };
    const calls = {
      read: () => getOwnGameData(project, game),
      save: (body: Parameters<typeof saveOwnGameData>[2]) => saveOwnGameData(project, game, body),
      addScore: (score: number) => addOwnScore(project, game, { score }),
    };
    const options = {
      onProblem: (problem: string | null) => update({ problem }),
      onCarried: () => writeSaved(name, null),
    };
    GameKeeper.open(calls, readSaved(name), options).then(
      (keeper) => update({ keeper, error: null }),
      (error: unknown) => update({ error }),
    );
    return () => {
      isCurrent = false;
      setKept(nothing);
    };
  }, [project, game, name, attempt]);
  return { ...kept, retry: () => setAttempt((now) => now + 1) };
}
