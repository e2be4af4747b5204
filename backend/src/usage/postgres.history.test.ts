import { describe } from '@jest/globals';
import { DataSource } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { dataSourceOptions } from '../database/database.options.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { testHistory } from '../testing/history.suite.js';
import { PostgresHistoryRepository } from './postgres.history.repository.js';
import { UsageRollups } from './usage.rollups.js';

/**
 * Lets a statement read this many rows; one that reads more fails as after the server's time limit. Folding isn't
 * limited.
 */
const rowsPerStatement = 40;
const limitRows = `
alter table api_usage rename to all_usage;
create function is_in_time(seq bigint) returns boolean language plpgsql stable cost 100000 as $$
declare
  name text := statement_timestamp()::text;
  seen text[] := string_to_array(current_setting('test.seen', true), '/');
  rows int := case when seen[1] = name then seen[2]::int else 0 end + 1;
begin
  if current_setting('application_name') <> 'orange-portal' then return true; end if;
  perform set_config('test.seen', name || '/' || rows, false);
  if rows > ${rowsPerStatement} then raise exception 'too slow' using errcode = '57014'; end if;
  return true;
end $$;
create view api_usage as select * from all_usage where is_in_time(seq);`;

describe.each([
  ['read at once', false],
  ['read in pieces, because a statement may read few rows', true],
])('the history of calls in PostgreSQL, %s', (_title, isLimited) => {
  testHistory(async (address) => {
    const dataSource = new DataSource(dataSourceOptions(address, parseEnvironment({ NODE_ENV: 'test' })));
    await dataSource.initialize();
    // Not initialised as a module: it folds only when the test asks.
    const rollups = new UsageRollups(address, new MetricsRegistry());
    await rollups['connection'].start();
    if (isLimited) await dataSource.query(limitRows);
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
