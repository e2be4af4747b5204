import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module.js';
import { GamesModule } from '../games/games.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { CallChecks } from './call.checks.js';
import { KeyDirectory } from './key.directory.js';
import { MeteredHandlers } from './metered.handlers.js';
import { MeteredServer } from './metered.server.js';

/** Calls with an API key. `MeteredServer` handles them before Nest. */
@Module({
  imports: [ChainModule, GamesModule, TokensModule, UsageModule, WalletsModule],
  providers: [CallChecks, KeyDirectory, MeteredHandlers, MeteredServer],
})
export class MeteredModule {}
