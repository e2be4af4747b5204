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
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  emailRegister,
  loginResult,
  signInMethodList,
  walletLink,
} from '@orange-id/contract/identity.schema';
import type {
  EmailRegister,
  LoginResult,
  SignInMethod,
  WalletLink,
} from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FreshProofGuard } from '../browser/fresh.proof.guard.js';
import { emailAccount, SignInLimits } from '../limits/sign-in.limits.js';
import { BrowserSessions } from '../browser/browser.session.js';
import { RequiresSignIn } from '../../auth/requires.sign-in.js';
import { CurrentSession, CurrentUser } from '../../auth/current.user.js';
import type { User } from '../../auth/user.entity.js';
import { LinkedAccountsService } from './linked-accounts.service.js';

const proofNeeded = `This browser hasn’t confirmed the account in the last ${waitInWords(limits.freshProofSeconds)}.`;

@ApiTags('Identity')
@Controller('api/v1/auth')
@RequiresSignIn()
export class LinkedAccountsController {
  constructor(
    private readonly linkedAccounts: LinkedAccountsService,
    private readonly browserSessions: BrowserSessions,
    private readonly signInLimits: SignInLimits,
  ) {}

  @Get('identifiers')
  @ApiOperation({ summary: 'List your sign-in methods, oldest first' })
  @ApiResponse({ status: 200, standardSchema: signInMethodList })
  list(@CurrentUser() user: User): Promise<SignInMethod[]> {
    return this.linkedAccounts.list(user.id);
  }

  @Delete('identifiers/:id')
  @HttpCode(204)
  @UseGuards(FreshProofGuard)
  @ApiOperation({
    summary: 'Remove one of your sign-in methods and end the other sessions started with it',
  })
  @ApiResponse({ status: 204, description: 'Removed.' })
  @ApiResponse({ status: 403, description: proofNeeded })
  @ApiResponse({ status: 404, description: 'The caller has no such sign-in method.' })
  @ApiResponse({ status: 409, description: 'This is the only sign-in method of the account.' })
  unlink(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Param('id') id: string,
  ): Promise<void> {
    return this.linkedAccounts.unlink({ userId: user.id, sessionId, userAgent }, id);
  }

  @Post('identifier/wallet')
  @HttpCode(200)
  @UseGuards(FreshProofGuard)
  @ApiOperation({
    summary: 'Add a wallet with a signed message (EIP-4361); the returned tokens replace yours',
  })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  @ApiResponse({ status: 403, description: proofNeeded })
  @ApiResponse({ status: 409, description: 'The wallet is already linked to this account or another one.' })
  linkWallet(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Ip() address: string,
    @Body({ schema: walletLink }) body: WalletLink,
  ): Promise<LoginResult> {
    this.signInLimits.attempt(address);
    return this.linkedAccounts.linkWallet({ userId: user.id, sessionId, userAgent }, body);
  }

  @Post('identifier/email')
  @HttpCode(200)
  @UseGuards(FreshProofGuard)
  @ApiOperation({
    summary: 'Add an email and a password; the returned tokens replace yours',
  })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  @ApiResponse({ status: 403, description: proofNeeded })
  @ApiResponse({
    status: 409,
    description: 'The email is taken, or the account already signs in with an email and a password.',
  })
  async linkEmail(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Ip() address: string,
    @Body({ schema: emailRegister }) body: EmailRegister,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginResult> {
    // Per account too: the response reveals whether an address is taken, and costs a hash.
    this.signInLimits.attempt(address, `link:${user.id}`);
    const caller = { userId: user.id, sessionId, userAgent };
    const { result, mark } = await this.linkedAccounts.linkEmail(caller, body, address);
    this.signInLimits.passwordSet(address, emailAccount(body.email));
    await this.browserSessions.notePassword(request, reply, mark);
    return result;
  }
}
