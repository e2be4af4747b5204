import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  createGame,
  gameSave,
  gameSaved,
  gameScore,
  gameScoreResult,
  leaderboard,
  leaderboardQuery,
  projectGame,
  projectGames,
  savedGameData,
} from '@orange-id/contract/games.schema';
import type {
  CreateGame,
  GameSave,
  GameSaved,
  GameScore,
  GameScoreResult,
  Leaderboard,
  LeaderboardQuery,
  ProjectGame,
  SavedGameData,
} from '@orange-id/contract/games.schema';
import { limits } from '@orange-id/contract/limits';
import { CurrentUser } from '../auth/current.user.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import type { User } from '../auth/user.entity.js';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { GamesService } from './games.service.js';

const noGame = { status: 404, description: 'The caller has no such project, or the project no such game.' };

/** The games of one's own projects. Players' own calls take an API key: see `MeteredHandlers`. */
@ApiTags('Projects')
@Controller('api/projects/:code/games')
@RequiresSignIn()
@UseInterceptors(NoStoreInterceptor)
export class GamesController {
  constructor(private readonly games: GamesService) {}

  @Get()
  @ApiOperation({ summary: 'List the games of one of your projects with players, plays and errors' })
  @ApiResponse({ status: 200, standardSchema: projectGames })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  list(@CurrentUser() user: User, @Param('code') code: string): Promise<ProjectGame[]> {
    return this.games.list(user.id, code);
  }

  @Post()
  @ApiOperation({ summary: 'Add a game to one of your projects; its ID comes from its name' })
  @ApiResponse({ status: 201, standardSchema: projectGame })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  @ApiResponse({
    status: 409,
    description: `The project has a game of this name, or ${limits.gamesPerProject} games.`,
  })
  create(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Body({ schema: createGame }) { name }: CreateGame,
  ): Promise<ProjectGame> {
    return this.games.create(user.id, code, name);
  }

  @Delete(':game')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a game with the data and scores of its players' })
  @ApiResponse({ status: 204, description: 'The game is deleted.' })
  @ApiResponse(noGame)
  remove(@CurrentUser() user: User, @Param('code') code: string, @Param('game') game: string): Promise<void> {
    return this.games.remove(user.id, code, game);
  }

  @Get(':game/leaderboard')
  @ApiOperation({ summary: `Get the best ${limits.leaderboard} scores of a game, one for each player` })
  @ApiResponse({ status: 200, standardSchema: leaderboard })
  @ApiResponse(noGame)
  leaderboard(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Param('game') game: string,
    @Query({ schema: leaderboardQuery }) { period }: LeaderboardQuery,
  ): Promise<Leaderboard> {
    return this.games.ownLeaderboard(user.id, code, game, period);
  }

  @Get(':game/data')
  @ApiOperation({ summary: 'Get what a game of yours saved for you as its player; for the playground' })
  @ApiResponse({ status: 200, standardSchema: savedGameData })
  @ApiResponse(noGame)
  async data(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Param('game') game: string,
  ): Promise<SavedGameData> {
    return this.games.data(await this.games.ownPlayer(user.id, code), game);
  }

  @Put(':game/data')
  @ApiOperation({ summary: 'Save data of a game of yours for you as its player; for the playground' })
  @ApiResponse({ status: 200, standardSchema: gameSaved })
  @ApiResponse(noGame)
  @ApiResponse({ status: 409, description: 'Newer data was saved elsewhere; the body has it as current.' })
  async save(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Param('game') game: string,
    @Body({ schema: gameSave }) body: GameSave,
  ): Promise<GameSaved> {
    return this.games.save(await this.games.ownPlayer(user.id, code), game, body);
  }

  @Post(':game/scores')
  @HttpCode(200)
  @ApiOperation({ summary: 'Report a score of yours in a game of yours; for the playground' })
  @ApiResponse({ status: 200, standardSchema: gameScoreResult })
  @ApiResponse(noGame)
  async addScore(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Param('game') game: string,
    @Body({ schema: gameScore }) { score }: GameScore,
  ): Promise<GameScoreResult> {
    return this.games.addScore(await this.games.ownPlayer(user.id, code), game, score);
  }
}
