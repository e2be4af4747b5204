import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Ip,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { bedrockRequest } from '@orange-id/contract/identity.schema';
import type { AccountPreview, BedrockRequest, BedrockResult } from '@orange-id/contract/identity.schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { identityUserOf } from '../sessions/identity-user.mapper.js';
import { answerLogin } from '../pages/login.address.js';
import { BearerGuard } from '../../auth/bearer.guard.js';
import { bearerToken } from '../../auth/bearer.strategy.js';
import { CurrentUser } from '../../auth/current.user.js';
import type { User } from '../../auth/user.entity.js';
import { RemoteVerifier } from './remote.verifier.js';

/** The portal's own sign-in routes if the identity service is hosted elsewhere. */
@Controller('api')
@UseInterceptors(NoStoreInterceptor)
export class RemoteController {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly verifier: RemoteVerifier,
  ) {}

  @Get('login')
  login(
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    answerLogin(this.environment, query, request, reply);
  }

  /**
   * The account of this token. Of the service's data only an email address that it calls verified counts as confirmed.
   */
  @Get('auth/bedrock')
  @UseGuards(BearerGuard)
  preview(@CurrentUser() { email, emailVerified }: User): AccountPreview {
    const identifiers = email !== null && emailVerified ? [{ provider: 'email' as const, label: email }] : [];
    return { identifiers, createdAt: null };
  }

  /** The user, with the identity service's id. Only that service can verify a refresh token. */
  @Post('auth/bedrock')
  @HttpCode(200)
  async confirm(
    @Ip() address: string,
    @Body({ schema: bedrockRequest }) { token }: BedrockRequest,
  ): Promise<BedrockResult> {
    const { user } = await this.verifier.verify(token, Date.now(), address);
    return { user: { ...identityUserOf(user), id: user.subject } };
  }

  /** Signing out happens at the identity service, which does not notify this portal. */
  @Delete('auth/bedrock')
  @HttpCode(204)
  leave(@Headers('authorization') authorization: string | undefined): void {
    this.verifier.signOut(bearerToken(authorization));
  }
}
