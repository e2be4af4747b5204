import { Global, Module } from '@nestjs/common';
import { DrainState } from '../http/drain.state.js';
import { HealthController } from './health.controller.js';
import { MetricsRegistry } from './metrics.registry.js';

@Global()
@Module({
  controllers: [HealthController],
  providers: [MetricsRegistry, DrainState],
  exports: [MetricsRegistry],
})
export class HealthModule {}
