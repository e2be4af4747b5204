import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module.js';
import { GamesModule } from '../games/games.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { KeyDirectory } from './key.directory.js';
import { MeteredHandlers } from './metered.handlers.js';

/** Calls with an API key. `meteredServer` handles them before Nest; this module provides its services. */
@Module({
  imports: [ChainModule, GamesModule, TokensModule, WalletsModule],
  providers: [KeyDirectory, MeteredHandlers],
})
export class MeteredModule {}
