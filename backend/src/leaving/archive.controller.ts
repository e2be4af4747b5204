import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { archiveFileName, archiveState, type ArchiveState } from '@orange-id/contract/archive.schema';
import { limits } from '@orange-id/contract/limits';
import type { FastifyReply } from 'fastify';
import { createGunzip } from 'node:zlib';
import { CurrentSession, CurrentUser } from '../auth/current.user.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import type { User } from '../auth/user.entity.js';
import { ArchiveService } from './archive.service.js';

@ApiTags('Account')
@Controller('api/account/archive')
@RequiresSignIn()
export class ArchiveController {
  constructor(private readonly archives: ArchiveService) {}

  @Get()
  @ApiOperation({ summary: 'Get whether the archive of your data is ready' })
  @ApiResponse({ status: 200, standardSchema: archiveState })
  state(@CurrentUser() user: User): Promise<ArchiveState> {
    return this.archives.state(user.id);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: `Prepare an archive of your data, once an hour; it is kept for ${limits.archiveKeptSeconds / 3600} h`,
  })
  @ApiResponse({ status: 200, standardSchema: archiveState })
  ask(@CurrentUser() user: User, @CurrentSession() sessionId: string): Promise<ArchiveState> {
    return this.archives.ask({ user, sessionId });
  }

  @Get('file')
  @ApiOperation({ summary: 'Download the archive of your data' })
  @ApiResponse({
    status: 200,
    description: 'Profile, sign-in methods, projects, keys without secrets, usage by day, posts and apps.',
    content: { 'application/json': { schema: { type: 'object' } } },
  })
  @ApiResponse({ status: 404, description: 'No archive is ready.' })
  async file(@CurrentUser() user: User, @Res() reply: FastifyReply): Promise<void> {
    const content = await this.archives.file(user.id);
    // Unpacked as it is read: whole, a few archives of one user would fill the memory.
    const unpacked = createGunzip();
    unpacked.end(content);
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${archiveFileName}"`)
      .send(unpacked);
  }
}
