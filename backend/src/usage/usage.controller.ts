import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { usageFilters } from '@orange-id/contract/usage.filter.schema';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { usageKeyList, usageMetrics, usagePage, usageQuery } from '@orange-id/contract/usage.schema';
import type { UsageKey, UsageMetrics, UsagePage, UsageQuery } from '@orange-id/contract/usage.schema';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { UsageService } from './usage.service.js';

@ApiTags('Usage')
@Controller('api')
@RequiresSignIn()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('analytics/metrics')
  @ApiOperation({ summary: 'Get your usage: totals, time series, breakdowns and today’s quota' })
  @ApiResponse({ status: 200, standardSchema: usageMetrics })
  @ApiResponse({ status: 404, description: 'The caller has no such key or project.' })
  @ApiResponse({
    status: 422,
    description: 'The range has too many calls to search; choose a shorter one.',
  })
  @ApiResponse({ status: 429, description: 'Too many usage requests at once; see Retry-After.' })
  metrics(
    @CurrentUser() user: User,
    @Query({ schema: usageFilters }) filters: UsageFilters,
  ): Promise<UsageMetrics> {
    return this.usage.metrics(user.id, filters);
  }

  @Get('usage')
  @ApiOperation({ summary: 'List your calls' })
  @ApiResponse({ status: 200, standardSchema: usagePage })
  @ApiResponse({ status: 404, description: 'The caller has no such key or project.' })
  @ApiResponse({
    status: 422,
    description: 'The range has too many calls to search; choose a shorter one.',
  })
  @ApiResponse({ status: 429, description: 'Too many usage requests at once; see Retry-After.' })
  page(@CurrentUser() user: User, @Query({ schema: usageQuery }) query: UsageQuery): Promise<UsagePage> {
    return this.usage.page(user.id, query);
  }

  @Get('usage/keys')
  @ApiOperation({
    summary: 'List your keys that are active or were used, newest first, each masked',
  })
  @ApiResponse({ status: 200, standardSchema: usageKeyList })
  keys(@CurrentUser() user: User): Promise<UsageKey[]> {
    return this.usage.keys(user.id);
  }
}
