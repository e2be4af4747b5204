import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { rotateKey, savedKey, savedKeyList } from '@orange-id/contract/keys.schema';
import { otherOrigins } from '@orange-id/contract/projects.schema';
import type { OtherOrigins } from '@orange-id/contract/projects.schema';
import type { RotateKey, SavedKey } from '@orange-id/contract/keys.schema';
import { renameProject, renamedProject } from '@orange-id/contract/projects.schema';
import type { RenameProject, RenamedProject } from '@orange-id/contract/projects.schema';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { CurrentCaller } from './current.caller.js';
import { EmbeddedProjects } from './projects.embedded.js';
import type { Caller } from './projects.port.js';

/** Routes that the hosted project service's API lacks; only the embedded service has them. */
@ApiTags('Projects')
@Controller('api/projects')
@RequiresSignIn()
export class EmbeddedProjectsController {
  constructor(private readonly projects: EmbeddedProjects) {}

  @Patch(':code')
  @ApiOperation({
    summary: 'Rename one of your projects; its ID and API key stay',
    description:
      'The name follows the rules of creation. People who use the project’s app see both names for 30 days.',
  })
  @ApiResponse({ status: 200, standardSchema: renamedProject })
  @ApiResponse({ status: 400, description: 'The name isn’t valid, or another project of the caller has it.' })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  @ApiResponse({ status: 409, description: 'The project has been renamed too often.' })
  @ApiResponse({ status: 429, description: 'Too many changes; see Retry-After.' })
  rename(
    @CurrentCaller() caller: Caller,
    @Param('code') code: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Body({ schema: renameProject }) { projectName }: RenameProject,
  ): Promise<RenamedProject> {
    return this.projects.rename(caller, { code, projectName, userAgent });
  }

  @Delete(':code')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete one of your projects; its key stops working within a second' })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  delete(@CurrentUser() user: User, @Param('code') code: string): Promise<void> {
    return this.projects.delete(user.id, code);
  }

  @Get(':code/origins')
  @ApiOperation({ summary: 'List the other origins of one of your projects: browser extensions, and null' })
  @ApiResponse({ status: 200, standardSchema: otherOrigins })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  async origins(@CurrentUser() user: User, @Param('code') code: string): Promise<OtherOrigins> {
    return { origins: await this.projects.otherOrigins(user.id, code) };
  }

  @Put(':code/origins')
  @ApiOperation({
    summary: 'Replace the other origins of one of your projects; takes effect within a second',
    description:
      'They may call with the project’s key. Sign-in works only on allowed URLs without a wildcard.',
  })
  @ApiResponse({ status: 200, standardSchema: otherOrigins })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  @ApiResponse({ status: 429, description: 'Too many changes; see Retry-After.' })
  async changeOrigins(
    @CurrentCaller() caller: Caller,
    @Param('code') code: string,
    @Body({ schema: otherOrigins }) { origins }: OtherOrigins,
  ): Promise<OtherOrigins> {
    return { origins: await this.projects.changeOtherOrigins(caller, code, origins) };
  }

  @Get(':code/keys')
  @ApiOperation({
    summary: 'List the API key of one of your projects and, during a rotation, the old key, newest first',
  })
  @ApiResponse({ status: 200, standardSchema: savedKeyList })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  keys(@CurrentUser() user: User, @Param('code') code: string): Promise<SavedKey[]> {
    return this.projects.keys(user.id, code);
  }

  @Post(':code/keys/:id/rotate')
  @ApiOperation({
    summary: 'Replace a project’s API key with a new one; the old one keeps working for the days you choose',
    description:
      'With 0 days, the old key stops working within a second. To end it earlier, delete it. Without `expiresAt` the new key has no expiry; without `rateLimit` it has the limit of the old one.',
  })
  @ApiResponse({ status: 201, standardSchema: savedKey })
  @ApiResponse({
    status: 404,
    description: 'The caller has no such project, or the project has no such key.',
  })
  @ApiResponse({
    status: 409,
    description: 'The key has already been replaced, or the one that it replaced still works.',
  })
  @ApiResponse({ status: 429, description: 'Too many changes; see Retry-After.' })
  rotateKey(
    @CurrentCaller() caller: Caller,
    @Param('code') code: string,
    @Param('id') id: string,
    @Body({ schema: rotateKey }) body: RotateKey,
  ): Promise<SavedKey> {
    return this.projects.rotateKey(caller, { code, id }, body);
  }

  @Delete(':code/keys/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'End the old API key of a rotation; it stops working within a second' })
  @ApiResponse({ status: 204, description: 'Ended.' })
  @ApiResponse({
    status: 404,
    description: 'The caller has no such project, or the project has no such key.',
  })
  @ApiResponse({ status: 409, description: 'This is the project’s current key.' })
  endKey(
    @CurrentCaller() caller: Caller,
    @Param('code') code: string,
    @Param('id') id: string,
  ): Promise<void> {
    return this.projects.endKey(caller, { code, id });
  }
}
