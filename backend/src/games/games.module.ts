import { Module } from '@nestjs/common';
import { TenantsRepository } from '../identity/tenants/tenants.repository.js';
import { GamesController } from './games.controller.js';
import { GamesRepository } from './games.repository.js';
import { GamesService } from './games.service.js';
import { LeaderboardWaits } from './leaderboard.waits.js';

/** Games of projects: saved data, scores and leaderboards. */
@Module({
  controllers: [GamesController],
  providers: [GamesRepository, GamesService, LeaderboardWaits, TenantsRepository],
  exports: [GamesService],
})
export class GamesModule {}
