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
import { createKey, savedKey, savedKeyList } from '@orange-id/contract/keys.schema';
import type { CreateKey, SavedKey } from '@orange-id/contract/keys.schema';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { BearerGuard } from '../auth/bearer.guard.js';
import { CurrentSession, CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { KeysService } from './keys.service.js';

@ApiTags('API keys')
@Controller('api/keys')
@UseGuards(BearerGuard)
@UseInterceptors(NoStoreInterceptor)
@ApiBearerAuth()
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

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete one of your API keys; it stops working within a second' })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiResponse({ status: 404, description: 'The caller has no such API key.' })
  delete(@CurrentUser() user: User, @Param('id') id: string): Promise<void> {
    return this.keys.deactivate(user.id, id);
  }
}
