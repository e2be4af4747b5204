import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { KeysModule } from '../keys/keys.module.js';
import { DailyQuota } from './daily.quota.js';
import { ExportDownloads } from './export.downloads.js';
import { PostgresHistoryRepository } from './postgres.history.repository.js';
import { UsageBulkhead } from './usage.bulkhead.js';
import { UsageController } from './usage.controller.js';
import { UsageExports } from './usage.exports.js';
import { UsageExportsController } from './usage.exports.controller.js';
import { USAGE_HISTORY, type UsageHistory } from './usage.history.port.js';
import { UsageRecorder } from './usage.recorder.js';
import { UsageRetention } from './usage.retention.js';
import { UsageRollups } from './usage.rollups.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';
import { UsageShipping } from './usage.shipping.js';

@Module({
  imports: [KeysModule],
  controllers: [UsageController, UsageExportsController],
  providers: [
    DailyQuota,
    ExportDownloads,
    UsageBulkhead,
    UsageExports,
    UsageRecorder,
    UsageRetention,
    UsageRollups,
    UsageRepository,
    UsageShipping,
    PostgresHistoryRepository,
    {
      provide: USAGE_HISTORY,
      inject: [ENVIRONMENT, PostgresHistoryRepository, DataSource],
      useFactory: async (
        { CLICKHOUSE_URL }: Environment,
        postgres: PostgresHistoryRepository,
        dataSource: DataSource,
      ): Promise<UsageHistory> => {
        if (CLICKHOUSE_URL === undefined) return postgres;
        const { historyAt } = await import('./clickhouse/clickhouse.parts.js');
        return historyAt(CLICKHOUSE_URL, postgres, dataSource);
      },
    },
    UsageService,
  ],
  exports: [DailyQuota, ExportDownloads, UsageBulkhead, UsageRecorder],
})
export class UsageModule {}
