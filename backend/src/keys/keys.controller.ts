import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { changeKey, createKey, rotateKey, savedKey, savedKeyList } from '@orange-id/contract/keys.schema';
import type { ChangeKey, CreateKey, RotateKey, SavedKey } from '@orange-id/contract/keys.schema';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { CurrentSession, CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { KeysService } from './keys.service.js';

@ApiTags('API keys')
@Controller('api/keys')
@RequiresSignIn()
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @ApiOperation({ summary: 'List your API keys that don’t belong to a project, newest first' })
  @ApiResponse({ status: 200, standardSchema: savedKeyList })
  list(@CurrentUser() user: User): Promise<SavedKey[]> {
    return this.keys.list(user.id);
  }

  @Post()
  @ApiOperation({ summary: 'Create an API key' })
  @ApiResponse({ status: 201, standardSchema: savedKey })
  create(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Body({ schema: createKey }) { name }: CreateKey,
  ): Promise<SavedKey> {
    return this.keys.create({ user, sessionId }, name);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Change the name, expiry or rate limit of one of your API keys; takes effect within a second',
    description:
      'Also for the key of a project. Missing fields stay, `null` removes the expiry or the limit. The limit is in calls per second, at most `RATE_LIMIT_PER_KEY`; each instance of the portal counts for itself.',
  })
  @ApiResponse({ status: 200, standardSchema: savedKey })
  @ApiResponse({ status: 404, description: 'The caller has no such API key.' })
  @ApiResponse({ status: 409, description: 'The key has been replaced by a rotation.' })
  @ApiResponse({ status: 429, description: 'Too many changes; see Retry-After.' })
  change(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Param('id') id: string,
    @Body({ schema: changeKey }) change: ChangeKey,
  ): Promise<SavedKey> {
    return this.keys.change({ user, sessionId }, id, change);
  }

  @Post(':id/rotate')
  @ApiOperation({
    summary: 'Replace one of your API keys with a new one; the old one keeps working for the days you choose',
    description:
      'With 0 days, the old key stops working within a second. To end it earlier, delete it. Without `expiresAt` the new key has no expiry; without `rateLimit` it has the limit of the old one.',
  })
  @ApiResponse({ status: 201, standardSchema: savedKey })
  @ApiResponse({ status: 404, description: 'The caller has no such API key.' })
  @ApiResponse({
    status: 409,
    description: 'The key has already been replaced, or the one that it replaced still works.',
  })
  @ApiResponse({ status: 429, description: 'Too many new keys; see Retry-After.' })
  rotate(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Param('id') id: string,
    @Body({ schema: rotateKey }) body: RotateKey,
  ): Promise<SavedKey> {
    return this.keys.rotate({ user, sessionId }, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete one of your API keys, also a replaced one; it stops working within a second',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiResponse({ status: 404, description: 'The caller has no such API key.' })
  delete(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Param('id') id: string,
  ): Promise<void> {
    return this.keys.deactivate({ user, sessionId }, id);
  }
}
