import { Body, Controller, Get, HttpCode, Ip, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { freshProof, proofRequest, proofWay } from '@orange-id/contract/identity.schema';
import type { FreshProof, ProofRequest, ProofWay } from '@orange-id/contract/identity.schema';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EmailService } from '../email/email.service.js';
import { emailAccount, SignInLimits } from '../limits/sign-in.limits.js';
import { BrowserSessions } from '../browser/browser.session.js';
import { Provider } from '../social/provider.parameter.js';
import { SocialFlows } from '../social/social.flows.js';
import { RequiresSignIn } from '../../auth/requires.sign-in.js';
import { CurrentUser } from '../../auth/current.user.js';
import type { User } from '../../auth/user.entity.js';
import { WalletService } from '../wallet/wallet.service.js';

/** Confirms the user's identity again, in the browser that is signed in to the account. */
@ApiTags('Identity')
@Controller('api/v1/auth/proof')
@RequiresSignIn()
export class ProofController {
  constructor(
    private readonly emails: EmailService,
    private readonly flows: SocialFlows,
    private readonly browserSessions: BrowserSessions,
    private readonly signInLimits: SignInLimits,
    private readonly wallets: WalletService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get the time until which this browser can change sign-in methods without confirming again',
  })
  @ApiResponse({ status: 200, standardSchema: freshProof })
  async read(@CurrentUser() user: User, @Req() request: FastifyRequest): Promise<FreshProof> {
    return { provenUntil: (await this.browserSessions.provenUntil(request, user.id))?.toISOString() ?? null };
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Confirm it’s you with the account’s password or a message signed by one of its wallets',
  })
  @ApiResponse({ status: 200, standardSchema: freshProof })
  @ApiResponse({
    status: 403,
    description: 'The confirmation isn’t valid, or this browser isn’t signed in to the account.',
  })
  async prove(
    @CurrentUser() user: User,
    @Ip() address: string,
    @Body({ schema: proofRequest }) body: ProofRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FreshProof> {
    // Before any check, so that a stolen access token alone cannot be used to guess a password here.
    await this.browserSessions.requireBound(request, user.id);
    if ('password' in body) {
      const next = 'Confirm with another sign-in method';
      const account = emailAccount(await this.emails.addressOf(user.id, next));
      this.signInLimits.attempt(address, account);
      await this.emails.requirePassword(user.id, body.password);
      this.signInLimits.succeeded(address, account);
    } else {
      this.signInLimits.attempt(address);
      await this.wallets.requireLinked(user.id, body);
    }
    return { provenUntil: (await this.browserSessions.prove(request, reply, user.id)).toISOString() };
  }

  @Post(['GOOGLE', 'APPLE'])
  @HttpCode(200)
  @ApiOperation({
    summary: 'Start confirming that it’s you with a linked Google or Apple account; open href in the browser',
  })
  @ApiResponse({ status: 200, standardSchema: proofWay })
  @ApiResponse({ status: 404, description: 'The caller has no such sign-in method.' })
  async begin(
    @Provider() provider: ProviderName,
    @CurrentUser() user: User,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProofWay> {
    this.signInLimits.attempt(address);
    return { href: await this.flows.beginProof(request, reply, provider, user.id) };
  }
}
