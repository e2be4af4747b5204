import { describe } from '@jest/globals';
import { DataSource } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { dataSourceOptions } from '../database/database.options.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { testHistory } from '../testing/history.suite.js';
import { PostgresHistoryRepository } from './postgres.history.repository.js';
import { UsageRollups } from './usage.rollups.js';

describe('the history of calls in PostgreSQL', () => {
  testHistory(async (address) => {
    const dataSource = new DataSource(dataSourceOptions(address, parseEnvironment({ NODE_ENV: 'test' })));
    await dataSource.initialize();
    // Not initialised as a module: it folds only when the test asks.
    const rollups = new UsageRollups(address, new MetricsRegistry());
    await rollups['connection'].start();
    return {
      history: new PostgresHistoryRepository(dataSource),
      followUp: async () => void (await rollups.fold()),
      stop: async () => {
        await rollups.onApplicationShutdown();
        await dataSource.destroy();
      },
    };
  });
});
