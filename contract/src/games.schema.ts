import { z } from 'zod';
import { limits } from './limits.js';

/** A game of a project. `id` names it in `/api/v1/games/{game}/…`; `errors` are refused saves and scores. */
export const projectGame = z.object({
  id: z.string(),
  name: z.string(),
  players: z.number().int(),
  plays: z.number().int(),
  errors: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type ProjectGame = z.infer<typeof projectGame>;

/** The oldest first. */
export const projectGames = z.array(projectGame);

export const createGame = z.strictObject({
  name: z.string().max(1000, `must have at most ${limits.gameNameMaxCharacters} characters`),
});
export type CreateGame = z.infer<typeof createGame>;

export const leaderboardPeriods = ['all', 'today'] as const;
export type LeaderboardPeriod = (typeof leaderboardPeriods)[number];

export const leaderboardQuery = z.object({ period: z.enum(leaderboardPeriods).default('all') });
export type LeaderboardQuery = z.infer<typeof leaderboardQuery>;

/** The newest of a player's data; `version` is 0 and the rest null before the first save. */
export const savedGameData = z.object({
  data: z.unknown(),
  version: z.number().int(),
  saved_at: z.iso.datetime().nullable(),
});
export type SavedGameData = z.infer<typeof savedGameData>;

/** JSON has larger numbers than JavaScript, which reads them as infinite and would store null in their place. */
function hasInfinite(data: unknown): boolean {
  const left = [data];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'number' && !Number.isFinite(value)) return true;
    if (typeof value === 'object' && value !== null) left.push(...Object.values(value));
  }
  return false;
}

export const gameSave = z.strictObject({
  data: z.unknown().refine((data) => !hasInfinite(data), 'must not have a number beyond 1.8e308'),
  version: z
    .number()
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(2 ** 31 - 1, 'must be the version of the data you started from'),
});
export type GameSave = z.infer<typeof gameSave>;

export const gameSaved = z.object({ version: z.number().int(), saved_at: z.iso.datetime() });
export type GameSaved = z.infer<typeof gameSaved>;

export const gameScore = z.strictObject({ score: z.number('must be a finite number') });
export type GameScore = z.infer<typeof gameScore>;

const rank = z.number().int().nullable();

/** `best` is the player's of all time; `is_best` says whether this score is it. Ranks above 10,000 are null. */
export const gameScoreResult = z.object({
  best: z.number(),
  is_best: z.boolean(),
  rank_today: rank,
  rank,
});
export type GameScoreResult = z.infer<typeof gameScoreResult>;

/** The best first; `name` is null unless the player lets the project's app see it. */
export const leaderboard = z.object({
  scores: z.array(
    z.object({
      rank: z.number().int(),
      name: z.string().nullable(),
      score: z.number(),
      at: z.iso.datetime(),
    }),
  ),
});
export type Leaderboard = z.infer<typeof leaderboard>;

/** `version` changes with the scores and names; a call can wait for the one after it. */
export const liveLeaderboard = leaderboard.extend({ version: z.string() });
export type LiveLeaderboard = z.infer<typeof liveLeaderboard>;
