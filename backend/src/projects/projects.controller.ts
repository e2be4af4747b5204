import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  addWhitelistUrls,
  createdProject,
  createProject,
  generateKey,
  projectList,
  removedWhitelistUrl,
  removeWhitelistUrl,
  whitelistAnswer,
} from '@orange-id/contract/projects.schema';
import type {
  AddWhitelistUrls,
  CreatedProject,
  CreateProject,
  GenerateKey,
  Project,
  RemovedWhitelistUrl,
  RemoveWhitelistUrl,
  WhitelistAnswer,
} from '@orange-id/contract/projects.schema';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { CurrentCaller } from './current.caller.js';
import { type Caller, Projects } from './projects.port.js';

/** The API of the project service, the same for the embedded and the hosted service. */
@ApiTags('Projects')
@Controller('devportal/v1')
@RequiresSignIn()
export class ProjectsController {
  constructor(private readonly projects: Projects) {}

  @Post('project')
  @ApiOperation({ summary: 'Create a project with its allowed URLs; the response has its ID and API key' })
  @ApiResponse({ status: 201, standardSchema: createdProject })
  create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createProject }) body: CreateProject,
  ): Promise<CreatedProject> {
    return this.projects.create(caller, body);
  }

  @Get('user/projects')
  @ApiOperation({ summary: 'List your projects, newest first' })
  @ApiResponse({ status: 200, standardSchema: projectList })
  @ApiResponse({ status: 429, description: 'Too many requests at once; see Retry-After.' })
  list(@CurrentCaller() caller: Caller): Promise<Project[]> {
    return this.projects.list(caller);
  }

  @Post('project/whitelist-urls')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Add allowed URLs to one of your projects, all or none; takes effect within a second',
    description: 'The bearer token identifies the caller; `userId` is ignored.',
  })
  @ApiResponse({ status: 200, standardSchema: whitelistAnswer })
  @ApiResponse({ status: 404, description: 'The caller has no project with this code and name.' })
  @ApiResponse({
    status: 409,
    description: 'A URL is already in the list, or the project would exceed its maximum.',
  })
  addUrls(
    @CurrentCaller() caller: Caller,
    @Body({ schema: addWhitelistUrls }) body: AddWhitelistUrls,
  ): Promise<WhitelistAnswer> {
    return this.projects.addUrls(caller, body);
  }

  @Delete('project/whitelist')
  @ApiOperation({
    summary: 'Remove an allowed URL from one of your projects; takes effect within a second',
  })
  @ApiResponse({ status: 200, standardSchema: removedWhitelistUrl })
  @ApiResponse({
    status: 404,
    description: 'The caller has no project with this code and name, or the project has no such allowed URL.',
  })
  @ApiResponse({ status: 409, description: 'This is the project’s only allowed URL.' })
  removeUrl(
    @CurrentCaller() caller: Caller,
    @Body({ schema: removeWhitelistUrl }) body: RemoveWhitelistUrl,
  ): Promise<RemovedWhitelistUrl> {
    return this.projects.removeUrl(caller, body);
  }

  @Post('project/generateKey')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Replace the API key of one of your projects; the old one stops working within a second',
  })
  @ApiResponse({
    status: 200,
    description: 'The new key.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  @ApiResponse({ status: 404, description: 'The caller has no project with this name.' })
  generateKey(
    @CurrentCaller() caller: Caller,
    @Body({ schema: generateKey }) { projectName }: GenerateKey,
  ): Promise<string> {
    return this.projects.generateKey(caller, projectName);
  }
}
