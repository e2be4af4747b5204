import { Controller, Delete, HttpCode, Param, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { BearerGuard } from '../auth/bearer.guard.js';
import { CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { EmbeddedProjects } from './projects.embedded.js';

/** Routes that the hosted project service's API lacks; only the embedded service has them. */
@ApiTags('Projects')
@Controller('api/projects')
@UseGuards(BearerGuard)
@UseInterceptors(NoStoreInterceptor)
@ApiBearerAuth()
export class EmbeddedProjectsController {
  constructor(private readonly projects: EmbeddedProjects) {}

  @Delete(':code')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete one of your projects; its key stops working within a second' })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  delete(@CurrentUser() user: User, @Param('code') code: string): Promise<void> {
    return this.projects.delete(user.id, code);
  }
}
