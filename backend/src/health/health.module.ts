import { Global, Module } from '@nestjs/common';
import { DrainState } from '../http/drain.state.js';
import { DatabaseFiguresRepository } from './database.figures.repository.js';
import { DatabaseMetrics } from './database.metrics.js';
import { HealthController } from './health.controller.js';
import { MetricsRegistry } from './metrics.registry.js';
import { RequestMetrics } from './request.metrics.js';

@Global()
@Module({
  controllers: [HealthController],
  providers: [DatabaseFiguresRepository, DatabaseMetrics, MetricsRegistry, RequestMetrics, DrainState],
  exports: [DrainState, MetricsRegistry, RequestMetrics],
})
export class HealthModule {}
