import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { ExportDownloads } from './export.downloads.js';
import { PostgresHistoryRepository } from './postgres.history.repository.js';
import { UsageBulkhead } from './usage.bulkhead.js';
import { UsageController } from './usage.controller.js';
import { UsageExports } from './usage.exports.js';
import { UsageExportsController } from './usage.exports.controller.js';
import { USAGE_HISTORY } from './usage.history.port.js';
import { UsageRecorder } from './usage.recorder.js';
import { UsageRetention } from './usage.retention.js';
import { UsageRollups } from './usage.rollups.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [KeysModule],
  controllers: [UsageController, UsageExportsController],
  providers: [
    ExportDownloads,
    UsageBulkhead,
    UsageExports,
    UsageRecorder,
    UsageRetention,
    UsageRollups,
    UsageRepository,
    { provide: USAGE_HISTORY, useClass: PostgresHistoryRepository },
    UsageService,
  ],
  exports: [ExportDownloads, UsageBulkhead, UsageRecorder],
})
export class UsageModule {}
