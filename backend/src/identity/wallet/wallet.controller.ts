import { Body, Controller, Get, HttpCode, Ip, Post, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { loginResult, nonceResult, walletVerify } from '@orange-id/contract/identity.schema';
import type { LoginResult, WalletVerify } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { CurrentClient } from '../../auth/sign-in.client.js';
import { SignInOutcomes } from '../../auth/sign-in.outcomes.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import { TenantGuard } from '../tenants/tenant.guard.js';
import { NoncesService } from './nonces.service.js';
import { SignInLimits } from '../limits/sign-in.limits.js';
import { WalletService } from './wallet.service.js';

@ApiTags('Identity')
@Controller('api/v1/message')
@UseGuards(TenantGuard)
@UseInterceptors(NoStoreInterceptor)
export class WalletController {
  constructor(
    private readonly nonces: NoncesService,
    private readonly wallets: WalletService,
    private readonly signInLimits: SignInLimits,
    private readonly outcomes: SignInOutcomes,
  ) {}

  @Get('nonce')
  @ApiOperation({
    summary: `Get a nonce for one wallet sign-in, valid for ${waitInWords(limits.siweNonceMs / 1000)}, and the time for the message’s issuedAt`,
  })
  @ApiResponse({ status: 200, standardSchema: nonceResult })
  async nonce(@Ip() address: string): Promise<{ nonce: string; now: string }> {
    this.signInLimits.attempt(address);
    return { nonce: await this.nonces.make(), now: new Date().toISOString() };
  }

  @Post('verify')
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with a signed message (EIP-4361)' })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  verify(
    @Ip() address: string,
    @CurrentClient() client: SignInClient,
    @Body({ schema: walletVerify }) body: WalletVerify,
    @Req() request: FastifyRequest,
  ): Promise<LoginResult> {
    return this.outcomes.of('wallet', request, async () => {
      this.signInLimits.attempt(address);
      return this.wallets.verify(body, client, address);
    });
  }
}
