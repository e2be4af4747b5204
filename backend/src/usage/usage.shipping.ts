import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { DatabaseAddress } from '../config/database.address.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import type { UsageShipper } from './clickhouse/usage.shipper.js';

/** Copies calls to ClickHouse if `CLICKHOUSE_URL` is set; otherwise nothing of it is even loaded. */
@Injectable()
export class UsageShipping implements OnModuleInit, OnApplicationShutdown {
  private shipper: UsageShipper | null = null;

  constructor(
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly metrics: MetricsRegistry,
  ) {}

  async onModuleInit(): Promise<void> {
    const { CLICKHOUSE_URL } = this.environment;
    if (CLICKHOUSE_URL === undefined) return;
    const { shipperTo } = await import('./clickhouse/clickhouse.parts.js');
    this.shipper = shipperTo(CLICKHOUSE_URL, this.address, this.environment, this.metrics);
    await this.shipper.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shipper?.stop();
  }
}
