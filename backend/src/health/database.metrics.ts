import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { within } from '../http/within.js';
import { type DatabaseFigures, DatabaseFiguresRepository } from './database.figures.repository.js';
import { MetricsRegistry } from './metrics.registry.js';

/** Metrics of one scrape share one read. */
const sharedForMs = 500;
const readWithinMs = 2_000;

/** The metrics that are read from the database or its pool: when somebody reads `/metrics`, never for a request. */
@Injectable()
export class DatabaseMetrics {
  private readAt = -Infinity;
  private reading: Promise<DatabaseFigures | null> = Promise.resolve(null);

  constructor(
    private readonly repository: DatabaseFiguresRepository,
    dataSource: DataSource,
    metrics: MetricsRegistry,
  ) {
    const { master: pool } = dataSource.driver as unknown as {
      master: { totalCount: number; idleCount: number; waitingCount: number };
    };
    metrics.gauge('database_pool_in_use', 'Pool connections in use', () => pool.totalCount - pool.idleCount);
    metrics.gauge(
      'database_pool_waiting',
      'Requests that wait for a pool connection',
      () => pool.waitingCount,
    );
    metrics.gauge('database_pool_max', 'Most pool connections', () => dataSource.options.poolSize ?? null);
    metrics.gauge('database_up', 'Whether the database answers and accepts writes', async () =>
      (await this.figures())?.isWritable ? 1 : 0,
    );
    metrics.gauge('mail_queue', 'Emails waiting to be sent', () => this.read('mailsWaiting'));
    metrics.gauge('mail_queue_oldest_seconds', 'Age of the oldest waiting email', () =>
      this.read('mailsOldestSeconds'),
    );
    metrics.gauge('usage_partitions_ahead', 'Months after this one that can store calls', () =>
      this.read('partitionsAhead'),
    );
  }

  private async read(
    figure: 'mailsWaiting' | 'mailsOldestSeconds' | 'partitionsAhead',
  ): Promise<number | null> {
    return (await this.figures())?.[figure] ?? null;
  }

  private figures(): Promise<DatabaseFigures | null> {
    const now = performance.now();
    if (now - this.readAt > sharedForMs) {
      this.readAt = now;
      this.reading = within(readWithinMs, this.repository.read()).catch(() => null);
    }
    return this.reading;
  }
}
