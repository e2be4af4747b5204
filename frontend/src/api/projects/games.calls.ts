import {
  gameSaved,
  gameScoreResult,
  leaderboard,
  projectGame,
  projectGames,
  savedGameData,
  type CreateGame,
  type GameSave,
  type GameScore,
  type LeaderboardPeriod,
} from '@orange-id/contract/games.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';
import { useLive } from '../usage/live.context';
import { pollMs } from '../usage/live.metrics';
import { useProjectNews } from './useProjectNews';

const gamesAt = (code: string, rest = '') => `/api/projects/${encodeURIComponent(code)}/games${rest}`;
const gameAt = (code: string, game: string, part = '') =>
  gamesAt(code, `/${encodeURIComponent(game)}${part}`);

const gamesQuery = (code: string) =>
  queryOptions({
    queryKey: [...queryKeys.projectGames, code],
    queryFn: ({ signal }) => http({ path: gamesAt(code), schema: projectGames, signal }),
    retry: false,
  });

/** `GET /api/projects/:code/games`; refetched within a second of a play. */
export function useProjectGames(code: string, isEnabled = true) {
  const query = gamesQuery(code);
  useProjectNews(code, ['played'], query.queryKey);
  const { status } = useLive();
  return useQuery({
    ...query,
    refetchOnMount: 'always',
    refetchInterval: status === 'live' ? false : pollMs,
    enabled: isEnabled,
  });
}

/** `GET /api/projects/:code/games`, once; `code` is `null` while there is no project. */
export const useGamesOf = (code: string | null) =>
  useQuery({ ...gamesQuery(code ?? ''), enabled: code !== null });

/** `GET /api/projects/:code/games/:game/leaderboard`; refetched within a second of a play. */
export function useLeaderboard(code: string, game: string, period: LeaderboardPeriod) {
  const queryKey = [...queryKeys.leaderboard, code, game, period];
  useProjectNews(code, ['played'], queryKey);
  const { status } = useLive();
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      http({ path: gameAt(code, game, `/leaderboard?period=${period}`), schema: leaderboard, signal }),
    refetchOnMount: 'always',
    refetchInterval: status === 'live' ? false : pollMs,
    retry: false,
  });
}

/** `POST /api/projects/:code/games`. `HttpError` with `game.nameInvalid`, `game.nameTaken` or `game.tooMany`. */
export const createGame = (code: string, body: CreateGame) =>
  http({ path: gamesAt(code), method: 'POST', body, schema: projectGame });

export const deleteGame = (code: string, game: string) =>
  http({ path: gameAt(code, game), method: 'DELETE' });

/** `GET /api/projects/:code/games/:game/data`: what the game saved for the user, its owner. */
export const getOwnGameData = (code: string, game: string) =>
  http({ path: gameAt(code, game, '/data'), schema: savedGameData });

/** `PUT /api/projects/:code/games/:game/data`. `HttpError` with `game.dataChanged` if it was saved elsewhere. */
export const saveOwnGameData = (code: string, game: string, body: GameSave) =>
  http({ path: gameAt(code, game, '/data'), method: 'PUT', body, schema: gameSaved });

export const addOwnScore = (code: string, game: string, body: GameScore) =>
  http({ path: gameAt(code, game, '/scores'), method: 'POST', body, schema: gameScoreResult });
