import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module.js';
import { KeyDirectory } from './key.directory.js';
import { MeteredHandlers } from './metered.handlers.js';
import { UsageController } from './usage.controller.js';
import { UsageExports } from './usage.exports.js';
import { UsageExportsController } from './usage.exports.controller.js';
import { UsageRecorder } from './usage.recorder.js';
import { UsageRetention } from './usage.retention.js';
import { UsageRollups } from './usage.rollups.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [ChainModule],
  controllers: [UsageController, UsageExportsController],
  providers: [
    KeyDirectory,
    MeteredHandlers,
    UsageExports,
    UsageRecorder,
    UsageRetention,
    UsageRollups,
    UsageService,
  ],
  exports: [UsageRecorder],
})
export class UsageModule {}
