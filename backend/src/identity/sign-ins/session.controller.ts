import { Body, Controller, Get, HttpCode, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  bedrockRequest,
  bedrockResult,
  identityUser,
  refreshRequest,
  refreshResult,
} from '@orange-id/contract/identity.schema';
import type { BedrockRequest, IdentityUser, RefreshRequest } from '@orange-id/contract/identity.schema';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { PortalError } from '../../http/portal.error.js';
import { AccessTokenVerifier } from '../tokens/access-token.verifier.js';
import { BearerGuard } from '../tokens/bearer.guard.js';
import { CurrentSession, CurrentUser } from '../tokens/current.user.js';
import { identityUserOf } from '../identity-user.mapper.js';
import { SignInsService } from './sign-ins.service.js';
import type { User } from '../user.entity.js';

@ApiTags('identity')
@Controller()
@UseInterceptors(NoStoreInterceptor)
export class SessionController {
  constructor(
    private readonly signIns: SignInsService,
    private readonly verifier: AccessTokenVerifier,
  ) {}

  @Get('api/v1/auth/user')
  @UseGuards(BearerGuard)
  @ApiBearerAuth()
  @ApiOperation({ summary: 'The signed-in user' })
  @ApiResponse({ status: 200, standardSchema: identityUser })
  read(@CurrentUser() user: User): IdentityUser {
    return identityUserOf(user);
  }

  /** The `provider` the client sends is not asked for: the sign-in knows its own. */
  @Post('api/v1/auth/refresh')
  @HttpCode(200)
  @ApiOperation({ summary: 'A new access token for a refresh token, which stays the same' })
  @ApiResponse({ status: 200, standardSchema: refreshResult })
  async refresh(
    @Body({ schema: refreshRequest }) { refreshToken }: RefreshRequest,
  ): Promise<{ accessToken: string }> {
    return { accessToken: await this.signIns.refresh(refreshToken) };
  }

  @Post('api/v1/auth/logout')
  @HttpCode(204)
  @UseGuards(BearerGuard)
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Ends the sign-in this access token came from' })
  async logout(@CurrentSession() sessionId: string): Promise<void> {
    await this.signIns.end(sessionId);
  }

  @Post('api/auth/bedrock')
  @HttpCode(200)
  @ApiOperation({ summary: 'Checks the two tokens a login callback brought and answers whose they are' })
  @ApiResponse({ status: 200, standardSchema: bedrockResult })
  async confirm(
    @Body({ schema: bedrockRequest }) { token, refreshToken }: BedrockRequest,
  ): Promise<{ user: IdentityUser }> {
    const { user, sessionId } = await this.verifier.verify(token);
    if (!(await this.signIns.owns(sessionId, refreshToken))) throw new PortalError('auth.refreshInvalid');
    return { user: identityUserOf(user) };
  }
}
