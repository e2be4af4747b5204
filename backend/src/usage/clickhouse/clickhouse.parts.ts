import type { DataSource } from 'typeorm';
import type { DatabaseAddress } from '../../config/database.address.js';
import type { MetricsRegistry } from '../../health/metrics.registry.js';
import type { UsageHistory } from '../usage.history.port.js';
import { clickHouseAddress, ClickHouseClient } from './clickhouse.client.js';
import { ClickHouseHistory } from './clickhouse.history.js';
import type { UpkeepSettings } from './history.upkeep.js';
import { NewestCallsRepository } from './newest.calls.repository.js';
import { UsageShipper } from './usage.shipper.js';

/** The history in ClickHouse at `url`; `postgres` reads what is not there. */
export const historyAt = (url: string, postgres: UsageHistory, dataSource: DataSource): UsageHistory =>
  new ClickHouseHistory(
    new ClickHouseClient(clickHouseAddress(url)),
    postgres,
    new NewestCallsRepository(dataSource),
  );

export const shipperTo = (
  url: string,
  address: DatabaseAddress,
  settings: UpkeepSettings,
  metrics: MetricsRegistry,
): UsageShipper => new UsageShipper(address, new ClickHouseClient(clickHouseAddress(url)), settings, metrics);
