import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module.js';
import { KeyDirectory } from './key.directory.js';
import { MeteredHandlers } from './metered.handlers.js';
import { UsageRecorder } from './usage.recorder.js';

@Module({
  imports: [ChainModule],
  providers: [KeyDirectory, MeteredHandlers, UsageRecorder],
  exports: [UsageRecorder],
})
export class UsageModule {}
