import { Injectable } from '@nestjs/common';
import type {
  GameSave,
  GameSaved,
  GameScoreResult,
  Leaderboard,
  LeaderboardPeriod,
  LiveLeaderboard,
  ProjectGame,
  SavedGameData,
} from '@orange-id/contract/games.schema';
import { limits } from '@orange-id/contract/limits';
import { checkName, nameKey } from '@orange-id/contract/text.rule';
import { waitInWords } from '@orange-id/contract/wait.text';
import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { DataSource, QueryFailedError } from 'typeorm';
import { newId } from '../database/new.id.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { PortalError } from '../http/portal.error.js';
import { visibleTo } from '../identity/tenants/app.user.js';
import { TenantsRepository } from '../identity/tenants/tenants.repository.js';
import { ProjectChanges } from '../realtime/project.changes.js';
import { gameDataText } from './game.data.rule.js';
import { GamesRepository } from './games.repository.js';
import { LeaderboardWaits } from './leaderboard.waits.js';

/** Who plays: a person's connection to the project that a game belongs to. */
export interface Player {
  connectionId: string;
  /** The project's, whose open pages are told. */
  ownerId: string;
  projectCode: string;
}

interface WantedLeaderboard {
  projectCode: string;
  code: string;
  period: LeaderboardPeriod;
  limit: number;
}

const minuteMs = 60_000;

/**
 * The games of projects: what they save for each player, scores and leaderboards. Every method throws `game.notFound`
 * for a game that the project doesn't have.
 */
@Injectable()
export class GamesService {
  private readonly saves = new AttemptLimiter(
    limits.gameSavesPerMinute,
    minuteMs,
    (seconds) =>
      `A game can save ${limits.gameSavesPerMinute} times a minute for each player. Try again in ${waitInWords(seconds)}`,
  );
  private readonly scores = new AttemptLimiter(
    limits.gameScoresPerMinute,
    minuteMs,
    (seconds) =>
      `A player can report ${limits.gameScoresPerMinute} scores a minute. Try again in ${waitInWords(seconds)}`,
  );

  private readonly ownCalls = new AttemptLimiter(
    limits.ownGameCallsPerMinute,
    minuteMs,
    (seconds) =>
      `You can make ${limits.ownGameCallsPerMinute} calls a minute to your own games. Try again in ${waitInWords(seconds)}`,
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly games: GamesRepository,
    private readonly tenants: TenantsRepository,
    private readonly changes: ProjectChanges,
    private readonly waits: LeaderboardWaits,
  ) {}

  /** Throws `project.notFound`, as the methods below do for a project that the caller doesn't own. */
  async list(ownerId: string, projectCode: string): Promise<ProjectGame[]> {
    const rows = await this.games.list(await this.ownProject(ownerId, projectCode));
    return rows.map(({ code, createdAt, ...row }) => ({
      id: code,
      ...row,
      createdAt: createdAt.toISOString(),
    }));
  }

  /** Throws `game.nameInvalid`, `game.nameTaken` and `game.tooMany`. */
  async create(ownerId: string, projectCode: string, given: string): Promise<ProjectGame> {
    const projectId = await this.ownProject(ownerId, projectCode);
    const verdict = checkName(given, limits.gameNameMaxCharacters);
    if (!verdict.ok) throw new PortalError('game.nameInvalid');
    const { name } = verdict;
    const others = await this.games.list(projectId);
    if (others.some((other) => nameKey(other.name) === nameKey(name)))
      throw new PortalError('game.nameTaken');
    const wanted = codeOf(name);
    const code =
      wanted === '' || others.some((other) => other.code === wanted)
        ? `${wanted || 'game'}-${randomBytes(3).toString('hex')}`
        : wanted;
    const createdAt = await this.games
      .add({ id: newId(), projectId, code, name }, limits.gamesPerProject)
      .catch((error: unknown) => {
        throw isViolation(error, uniqueViolation)
          ? new PortalError('game.nameTaken', { cause: error })
          : error;
      });
    if (createdAt === null) throw new PortalError('game.tooMany');
    this.changes.emit(ownerId, { projectId: projectCode, kind: 'played' });
    return { id: code, name, players: 0, plays: 0, errors: 0, createdAt: createdAt.toISOString() };
  }

  async remove(ownerId: string, projectCode: string, code: string): Promise<void> {
    const projectId = await this.ownProject(ownerId, projectCode);
    if (!(await this.games.remove(projectId, code))) throw new PortalError('game.notFound');
    this.changes.emit(ownerId, { projectId: projectCode, kind: 'played' });
  }

  /**
   * The owner as a player of their own project's games, connected to it if they weren't. Throws
   * `request.rateLimited`.
   */
  async ownPlayer(ownerId: string, projectCode: string): Promise<Player> {
    this.ownCalls.take(ownerId);
    const projectId = await this.ownProject(ownerId, projectCode);
    const connectionId = await this.tenants.connect(this.dataSource.manager, {
      id: newId(),
      projectId,
      userId: ownerId,
    });
    if (connectionId === null) throw new PortalError('project.notFound');
    return { connectionId, ownerId, projectCode };
  }

  async data({ projectCode, connectionId }: Player, code: string): Promise<SavedGameData> {
    return this.newest(await this.find(projectCode, code), connectionId);
  }

  /** Throws `game.dataChanged` with the newer data, `game.playerFull`, `request.invalid` and `request.rateLimited`. */
  async save(player: Player, code: string, { data, version }: GameSave): Promise<GameSaved> {
    const gameId = await this.find(player.projectCode, code);
    this.saves.take(`${gameId} ${player.connectionId}`);
    return this.counted(gameId, player, async () => {
      const text = gameDataText(data);
      const given = { data: text, version };
      const saved = await this.games.save(gameId, player.connectionId, given, limits.gamesPerPlayer);
      if (saved !== null) return { version: saved.version, saved_at: saved.savedAt.toISOString() };
      const current = await this.newest(gameId, player.connectionId);
      throw current.version === version
        ? new PortalError('game.playerFull')
        : new PortalError('game.dataChanged', { current });
    });
  }

  /** Throws `request.rateLimited`. */
  async addScore(player: Player, code: string, score: number): Promise<GameScoreResult> {
    const gameId = await this.find(player.projectCode, code);
    this.scores.take(`${gameId} ${player.connectionId}`);
    return this.counted(gameId, player, async () => {
      // −0 and 0 are the same score.
      const { best, rank, rankToday } = await this.games.addScore(gameId, player.connectionId, score + 0);
      return { best, is_best: score >= best, rank_today: rankToday, rank };
    });
  }

  async leaderboard(
    projectCode: string,
    code: string,
    period: LeaderboardPeriod,
    limit: number = limits.leaderboard,
  ): Promise<Leaderboard> {
    const gameId = await this.find(projectCode, code);
    const rows = await this.games.leaderboard(gameId, period, limit);
    return {
      scores: rows.map(({ rank, best, at, displayName, claims, isConnected }) => {
        const { name } = visibleTo(
          { displayName, profileImageUrl: null, email: null, emailVerified: false, ethAddress: null },
          isConnected ? claims : [],
        );
        return { rank, name, score: best, at: at.toISOString() };
      }),
    };
  }

  /** Throws as `leaderboard` does. */
  async liveLeaderboard(wanted: WantedLeaderboard): Promise<LiveLeaderboard> {
    const { projectCode, code, period, limit } = wanted;
    const { scores } = await this.leaderboard(projectCode, code, period, limit);
    return { version: versionOf(scores), scores };
  }

  /**
   * The leaderboard once its version isn't `after`, or after a wait of 25 seconds. Throws `request.rateLimited` if too
   * many calls wait.
   */
  async leaderboardAfter(
    after: string,
    wanted: WantedLeaderboard,
    caller: { ownerId: string; address: string; response: ServerResponse },
  ): Promise<LiveLeaderboard> {
    const board = await this.liveLeaderboard(wanted);
    if (board.version !== after) return board;
    const { projectCode, code, period, limit } = wanted;
    let newest = board;
    await this.waits.until({
      ...caller,
      projectCode,
      board: `${projectCode} ${code} ${period}`,
      read: async () => (await this.leaderboard(projectCode, code, period, limits.leaderboardMax)).scores,
      isOver: (all) => {
        const scores = all.slice(0, limit);
        newest = { version: versionOf(scores), scores };
        return newest.version !== after;
      },
    });
    return newest;
  }

  /** The leaderboard for the project's owner. */
  async ownLeaderboard(
    ownerId: string,
    projectCode: string,
    code: string,
    period: LeaderboardPeriod,
  ): Promise<Leaderboard> {
    await this.ownProject(ownerId, projectCode);
    return this.leaderboard(projectCode, code, period);
  }

  private async newest(gameId: string, connectionId: string): Promise<SavedGameData> {
    const { data, version, savedAt } = await this.games.player(gameId, connectionId);
    return {
      data: data === null ? null : (JSON.parse(data) as unknown),
      version,
      saved_at: savedAt === null ? null : savedAt.toISOString(),
    };
  }

  /** Tells the owner's open pages of a save or a score, and counts it as an error if it is refused. */
  private async counted<T>(
    gameId: string,
    { ownerId, projectCode }: Player,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The game was deleted in the meantime.
      if (isViolation(error, foreignKeyViolation)) throw new PortalError('game.notFound', { cause: error });
      if (error instanceof PortalError) await this.games.countError(gameId);
      throw error;
    } finally {
      this.changes.emitSoon(ownerId, { projectId: projectCode, kind: 'played' });
    }
  }

  private async find(projectCode: string, code: string): Promise<string> {
    const gameId = await this.games.idOf(projectCode, code);
    if (gameId === null) throw new PortalError('game.notFound');
    return gameId;
  }

  private async ownProject(ownerId: string, code: string): Promise<string> {
    const id = await this.games.projectOf(ownerId, code);
    if (id === null) throw new PortalError('project.notFound');
    return id;
  }
}

const versionOf = (scores: Leaderboard['scores']): string =>
  createHash('sha256').update(JSON.stringify(scores)).digest('hex').slice(0, 16);

/** PostgreSQL's codes. */
const uniqueViolation = '23505';
const foreignKeyViolation = '23503';

const isViolation = (error: unknown, code: string): boolean =>
  error instanceof QueryFailedError && (error.driverError as { code?: string }).code === code;

/** The ASCII letters and digits of a name, as it stands in addresses; may be empty. */
const codeOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
