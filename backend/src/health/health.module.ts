import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { MetricsRegistry } from './metrics.registry.js';

@Global()
@Module({ controllers: [HealthController], providers: [MetricsRegistry], exports: [MetricsRegistry] })
export class HealthModule {}
