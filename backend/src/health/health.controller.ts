import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { PortalError } from '../http/portal.error.js';
import { MetricsRegistry } from './metrics.registry.js';

@ApiTags('operations')
@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: MetricsRegistry,
  ) {}

  @Get('health/live')
  @ApiOperation({ summary: 'The process answers' })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('health/ready')
  @ApiOperation({ summary: 'The process can serve: the database answered within 2 s' })
  async ready(): Promise<{ status: 'ok' }> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new PortalError('database.unavailable')), 2_000);
    });
    try {
      await Promise.race([this.dataSource.query('select 1'), late]);
    } catch (cause) {
      throw new PortalError('database.unavailable', { cause });
    } finally {
      clearTimeout(timer);
    }
    return { status: 'ok' };
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({ summary: 'Counters in the Prometheus text format' })
  read(): string {
    return this.metrics.text();
  }
}
