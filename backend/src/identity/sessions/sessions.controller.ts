import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Ip,
  Param,
  Post,
  Put,
  Req,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  accountPreview,
  activeSessionList,
  bedrockRequest,
  bedrockResult,
  identityUser,
  refreshRequest,
  refreshResult,
} from '@orange-id/contract/identity.schema';
import type {
  AccountPreview,
  ActiveSession,
  BedrockRequest,
  BedrockResult,
  IdentityUser,
  RefreshRequest,
} from '@orange-id/contract/identity.schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { PortalError } from '../../http/portal.error.js';
import {
  AccessTokenVerifier,
  type AppConnection,
  type Authenticated,
} from '../../auth/access-token.verifier.js';
import { AnyTenant } from '../../auth/any.portal.js';
import { RequiresSignIn } from '../../auth/requires.sign-in.js';
import { CurrentApp, CurrentSession, CurrentUser } from '../../auth/current.user.js';
import { BrowserSessions } from '../browser/browser.session.js';
import { appUserOf } from '../tenants/app.user.js';
import { identityUserOf } from './identity-user.mapper.js';
import { SignInLimits } from '../limits/sign-in.limits.js';
import { previewOf } from './account.preview.js';
import { SessionsService } from './sessions.service.js';
import type { User } from '../../auth/user.entity.js';

@ApiTags('Identity')
@Controller()
@UseInterceptors(NoStoreInterceptor)
export class SessionsController {
  constructor(
    private readonly browserSessions: BrowserSessions,
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly signInLimits: SignInLimits,
    private readonly verifier: AccessTokenVerifier,
  ) {}

  @Get('api/v1/auth/user')
  @RequiresSignIn()
  @AnyTenant()
  @ApiOperation({ summary: 'Get the signed-in user; an app gets what the user lets it see' })
  @ApiResponse({ status: 200, standardSchema: identityUser })
  read(@CurrentUser() user: User, @CurrentApp() app: AppConnection | undefined): IdentityUser {
    return app ? appUserOf(user, app) : identityUserOf(user);
  }

  /** Ignores the `provider` that the client sends: the session has its own. */
  @Post('api/v1/auth/refresh')
  @HttpCode(200)
  @ApiOperation({ summary: 'Get a new access token with a refresh token, which stays the same' })
  @ApiResponse({ status: 200, standardSchema: refreshResult })
  async refresh(
    @Body({ schema: refreshRequest }) { refreshToken }: RefreshRequest,
    @Ip() address: string,
    @Headers('origin') origin: string | undefined,
  ): Promise<{ accessToken: string }> {
    this.signInLimits.lookup(address);
    return { accessToken: await this.sessions.refresh(refreshToken, origin) };
  }

  @Post('api/v1/auth/logout')
  @HttpCode(204)
  @RequiresSignIn()
  @AnyTenant()
  @ApiOperation({ summary: 'End the session of this access token' })
  async logout(@CurrentSession() sessionId: string): Promise<void> {
    await this.sessions.end(sessionId);
  }

  @Get('api/v1/auth/sessions')
  @RequiresSignIn()
  @ApiOperation({ summary: 'List your active sessions, last used first' })
  @ApiResponse({ status: 200, standardSchema: activeSessionList })
  list(@CurrentUser() user: User, @CurrentSession() sessionId: string): Promise<ActiveSession[]> {
    return this.sessions.list(user.id, sessionId);
  }

  @Delete('api/v1/auth/sessions/:id')
  @HttpCode(204)
  @RequiresSignIn()
  @ApiOperation({ summary: 'End one of your sessions; its tokens stop working immediately' })
  @ApiResponse({ status: 204, description: 'Ended.' })
  @ApiResponse({ status: 404, description: 'The caller has no such session, or it has already ended.' })
  endOne(@CurrentUser() user: User, @Param('id') id: string): Promise<void> {
    return this.sessions.endOne(user.id, id);
  }

  @Delete('api/v1/auth/sessions')
  @HttpCode(204)
  @RequiresSignIn()
  @ApiOperation({ summary: 'End all of your sessions, including the current one' })
  @ApiResponse({ status: 204, description: 'Ended.' })
  endAll(@CurrentUser() user: User, @Headers('user-agent') userAgent: string | undefined): Promise<void> {
    return this.sessions.endEverywhere(user.id, userAgent);
  }

  @Get('api/auth/bedrock')
  @RequiresSignIn()
  @ApiOperation({
    summary: 'Get the confirmed emails, wallets and provider accounts behind an access token',
  })
  @ApiResponse({ status: 200, standardSchema: accountPreview })
  preview(@CurrentUser() user: User): Promise<AccountPreview> {
    return previewOf(user, this.dataSource);
  }

  @Post('api/auth/bedrock')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Check the two tokens of a sign-in callback, replace the refresh token and bind this browser to the account',
  })
  @ApiResponse({ status: 200, standardSchema: bedrockResult })
  async confirm(
    @Body({ schema: bedrockRequest }) { token, refreshToken }: BedrockRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BedrockResult> {
    const { user, sessionId } = await this.admit(token, refreshToken);
    // Before the browser is bound: of two calls with the same tokens only the first one binds it.
    const next = await this.sessions.replaceRefreshToken(sessionId, refreshToken);
    await this.browserSessions.bind(request, reply, { userId: user.id, sessionId });
    return { user: identityUserOf(user), refreshToken: next };
  }

  /** The refresh token stays: several tabs that share it may call this at once. */
  @Put('api/auth/bedrock')
  @HttpCode(204)
  @ApiOperation({ summary: 'Bind this browser to the account its stored tokens belong to' })
  @ApiResponse({ status: 204, description: 'Bound.' })
  async bind(
    @Body({ schema: bedrockRequest }) { token, refreshToken }: BedrockRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { user, sessionId } = await this.admit(token, refreshToken);
    await this.browserSessions.bind(request, reply, { userId: user.id, sessionId });
  }

  /**
   * The user of the two tokens. Counts towards the browsers the account may bind, but not for an access token alone:
   * whoever stole one could otherwise keep its owner from signing in.
   */
  private async admit(token: string, refreshToken: string): Promise<Authenticated> {
    const authenticated = await this.verifier.verify(token);
    if (!(await this.sessions.owns(authenticated.sessionId, refreshToken))) {
      throw new PortalError('auth.refreshInvalid');
    }
    this.signInLimits.browser(authenticated.user.id);
    return authenticated;
  }
}
