import { Controller, Get, Param, Query, Res, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { limits } from '@orange-id/contract/limits';
import {
  projectRefusals,
  projectUsers,
  projectUsersFilters,
  projectUsersMetrics,
  projectUsersQuery,
} from '@orange-id/contract/project.users.schema';
import type {
  ProjectRefusals,
  ProjectUsers,
  ProjectUsersFilters,
  ProjectUsersMetrics,
  ProjectUsersQuery,
} from '@orange-id/contract/project.users.schema';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { CurrentUser } from '../auth/current.user.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import type { User } from '../auth/user.entity.js';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { ExportDownloads } from '../usage/export.downloads.js';
import { contentTypes } from '../usage/export.text.js';
import { ProjectUsersService } from './project-users.service.js';

const noProject = { status: 404, description: 'The caller has no such project.' };
const tooMany = {
  status: 422,
  description: 'The range has too many sign-ins to search; choose a shorter one.',
};
const busy = { status: 429, description: 'Too many searches at once; see Retry-After.' };

/** Only with the embedded identity service: a hosted one knows who signs in. */
@ApiTags('Projects')
@Controller('api/projects/:code')
@RequiresSignIn()
@UseInterceptors(NoStoreInterceptor)
export class ProjectUsersController {
  constructor(
    private readonly people: ProjectUsersService,
    private readonly downloads: ExportDownloads,
  ) {}

  @Get('users')
  @ApiOperation({
    summary: 'List the people who signed in through one of your projects, the latest sign-in first',
    description: 'Name, email and wallet are null unless the person lets your app see them now.',
  })
  @ApiResponse({ status: 200, standardSchema: projectUsers })
  @ApiResponse(noProject)
  @ApiResponse(tooMany)
  @ApiResponse(busy)
  list(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Query({ schema: projectUsersQuery }) query: ProjectUsersQuery,
  ): Promise<ProjectUsers> {
    return this.people.list(user.id, code, query);
  }

  @Get('users/metrics')
  @ApiOperation({
    summary:
      'Get the users of one of your projects: totals, growth over time, by method, platform and region',
  })
  @ApiResponse({ status: 200, standardSchema: projectUsersMetrics })
  @ApiResponse(noProject)
  @ApiResponse(tooMany)
  @ApiResponse(busy)
  metrics(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Query({ schema: projectUsersFilters }) filters: ProjectUsersFilters,
  ): Promise<ProjectUsersMetrics> {
    return this.people.metrics(user.id, code, filters);
  }

  @Get('users/export')
  @ApiOperation({
    summary: 'Download the users of one of your projects as CSV (RFC 4180), the first one first',
  })
  @ApiResponse({
    status: 200,
    description: 'The file; it is incomplete if the connection ends early.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  @ApiResponse(noProject)
  @ApiResponse({
    status: 429,
    description: `The user has ${limits.exportDownloadsPerUser} downloads running, or the portal ${limits.exportDownloads}.`,
  })
  async export(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Query({ schema: projectUsersFilters }) filters: ProjectUsersFilters,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = await this.people.export(user.id, code, filters);
    this.downloads.begin(user.id, reply.raw);
    void reply
      .header('content-type', contentTypes.csv)
      .header('content-disposition', `attachment; filename="users-${code}.csv"`)
      .send(Readable.from(text, { objectMode: false }));
  }

  @Get('refusals')
  @ApiOperation({
    summary: 'List the origins whose sign-ins one of your projects refused in the last 24 hours',
    description: 'Anybody can cause an entry, so allow only origins that are yours.',
  })
  @ApiResponse({ status: 200, standardSchema: projectRefusals })
  @ApiResponse(noProject)
  refusals(@CurrentUser() user: User, @Param('code') code: string): Promise<ProjectRefusals> {
    return this.people.refusals(user.id, code);
  }
}
