import { Body, Controller, HttpCode, Ip, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { profileResult, profileUpdate } from '@orange-id/contract/profile.schema';
import type { ProfileResult, ProfileUpdate } from '@orange-id/contract/profile.schema';
import { z } from 'zod';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { BearerGuard } from '../identity/tokens/bearer.guard.js';
import { CurrentUser } from '../identity/tokens/current.user.js';
import type { User } from '../identity/user.entity.js';
import { ProfileService } from './profile.service.js';

@ApiTags('profile')
@ApiBearerAuth()
@Controller('api/v1/user')
@UseGuards(BearerGuard)
@UseInterceptors(NoStoreInterceptor)
export class ProfileController {
  constructor(private readonly profiles: ProfileService) {}

  @Post('profile')
  @HttpCode(200)
  @ApiOperation({ summary: 'Changes the profile fields that are given' })
  @ApiResponse({ status: 200, standardSchema: z.object({ data: profileResult }) })
  async update(
    @Ip() address: string,
    @CurrentUser() user: User,
    @Body({ schema: profileUpdate }) update: ProfileUpdate,
  ): Promise<{ data: ProfileResult }> {
    return { data: await this.profiles.update(user, update, address) };
  }
}
