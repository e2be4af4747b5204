import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module.js';
import { KeyDirectory } from './key.directory.js';
import { MeteredHandlers } from './metered.handlers.js';

/** Calls with an API key. They are answered by `meteredServer`, before Nest; here stand the services it asks. */
@Module({
  imports: [ChainModule],
  providers: [KeyDirectory, MeteredHandlers],
})
export class MeteredModule {}
