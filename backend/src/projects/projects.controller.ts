import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { createdProject, createProject, projectList } from '@orange-id/contract/projects.schema';
import type { CreatedProject, CreateProject, Project } from '@orange-id/contract/projects.schema';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { BearerGuard } from '../identity/tokens/bearer.guard.js';
import { CurrentUser } from '../identity/tokens/current.user.js';
import type { User } from '../identity/user.entity.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('projects')
@Controller()
@UseGuards(BearerGuard)
@UseInterceptors(NoStoreInterceptor)
@ApiBearerAuth()
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Post('devportal/v1/project')
  @ApiOperation({ summary: 'Makes a project with its whitelist; answers its code and its key' })
  @ApiResponse({ status: 201, standardSchema: createdProject })
  create(
    @CurrentUser() user: User,
    @Body({ schema: createProject }) body: CreateProject,
  ): Promise<CreatedProject> {
    return this.projects.create(user.id, body);
  }

  @Get('devportal/v1/user/projects')
  @ApiOperation({ summary: "The caller's projects, newest first" })
  @ApiResponse({ status: 200, standardSchema: projectList })
  list(@CurrentUser() user: User): Promise<Project[]> {
    return this.projects.list(user.id);
  }

  @Delete('api/projects/:code')
  @HttpCode(204)
  @ApiOperation({ summary: "Deletes one of the caller's projects; its key is refused within 1 s" })
  @ApiResponse({ status: 204, description: 'Deleted' })
  @ApiResponse({ status: 404, description: "No such project of the caller's" })
  delete(@CurrentUser() user: User, @Param('code') code: string): Promise<void> {
    return this.projects.delete(user.id, code);
  }
}
