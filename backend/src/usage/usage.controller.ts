import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { usageFilters, usageMetrics, usagePage, usageQuery } from '@orange-id/contract/usage.schema';
import type { UsageFilters, UsageMetrics, UsagePage, UsageQuery } from '@orange-id/contract/usage.schema';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { BearerGuard } from '../identity/bearer.guard.js';
import { CurrentUser } from '../identity/current.user.js';
import type { User } from '../identity/user.entity.js';
import { UsageService } from './usage.service.js';

@ApiTags('usage')
@Controller('api')
@UseGuards(BearerGuard)
@UseInterceptors(NoStoreInterceptor)
@ApiBearerAuth()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('analytics/metrics')
  @ApiOperation({ summary: "Totals, series, endpoints and statuses of the caller's usage" })
  @ApiResponse({ status: 200, standardSchema: usageMetrics })
  @ApiResponse({ status: 404, description: "No such key or project of the caller's" })
  metrics(
    @CurrentUser() user: User,
    @Query({ schema: usageFilters }) filters: UsageFilters,
  ): Promise<UsageMetrics> {
    return this.usage.metrics(user.id, filters);
  }

  @Get('usage')
  @ApiOperation({ summary: "The caller's calls, one by one" })
  @ApiResponse({ status: 200, standardSchema: usagePage })
  @ApiResponse({ status: 404, description: "No such key or project of the caller's" })
  page(@CurrentUser() user: User, @Query({ schema: usageQuery }) query: UsageQuery): Promise<UsagePage> {
    return this.usage.page(user.id, query);
  }
}
