import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { rewardProfile } from '@orange-id/contract/rewards.schema';
import type { RewardProfile } from '@orange-id/contract/rewards.schema';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { RewardsService } from './rewards.service.js';

@ApiTags('Rewards')
@Controller('api/reward')
@RequiresSignIn()
export class RewardsController {
  constructor(private readonly rewards: RewardsService) {}

  @Get('profile')
  @ApiOperation({ summary: 'Get your rank, its image and raw experience points; 100 points equal 1 XP' })
  @ApiResponse({ status: 200, standardSchema: rewardProfile })
  profile(@CurrentUser() user: User): Promise<RewardProfile> {
    return this.rewards.profile(user);
  }
}
