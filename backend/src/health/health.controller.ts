import { Controller, Get, Header, Req, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { limits } from '@orange-id/contract/limits';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { addressKey } from '../http/address.key.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { DrainState } from '../http/drain.state.js';
import { isLocalRequest } from '../http/local.request.js';
import { PortalError } from '../http/portal.error.js';
import { within } from '../http/within.js';
import { MetricsGuard } from './metrics.guard.js';
import { MetricsRegistry } from './metrics.registry.js';

/** On for a standby, a demoted primary and a server that is set to read only. Writes nothing: a full disk is ready. */
const askWhetherReadOnly = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

const running = z.object({ status: z.literal('ok') });

@ApiTags('Operations')
@Controller()
export class HealthController {
  /** Each check uses a connection of the pool. Monitors on this machine have no limit. */
  private readonly readinessChecks = new AttemptLimiter(limits.readinessChecksPerMinute);

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: MetricsRegistry,
    private readonly drain: DrainState,
  ) {}

  @Get('health/live')
  @ApiOperation({ summary: 'Check that the process is running' })
  @ApiResponse({ status: 200, standardSchema: running })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('health/ready')
  @ApiOperation({
    summary:
      'Check that the portal can serve requests: it does not stop soon, and the database accepts writes within 2 s',
  })
  @ApiResponse({ status: 200, standardSchema: running })
  async ready(@Req() request: FastifyRequest): Promise<{ status: 'ok' }> {
    if (this.drain.isDraining) throw new PortalError('portal.stopping');
    if (!isLocalRequest(request)) this.readinessChecks.take(addressKey(request.ip));
    if (await this.isReadOnly()) throw new PortalError('database.unavailable');
    return { status: 'ok' };
  }

  @Get('metrics')
  @UseGuards(MetricsGuard)
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({
    summary: 'Get counters in the Prometheus text format, from the same machine or with METRICS_TOKEN',
  })
  @ApiResponse({
    status: 200,
    description: 'The counters.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  read(): Promise<string> {
    return this.metrics.text();
  }

  private async isReadOnly(): Promise<boolean> {
    try {
      const [row] = await within(2_000, this.dataSource.query<{ isReadOnly: boolean }[]>(askWhetherReadOnly));
      return row?.isReadOnly ?? true;
    } catch (cause) {
      throw new PortalError('database.unavailable', { cause });
    }
  }
}
