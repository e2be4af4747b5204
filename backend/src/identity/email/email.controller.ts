import { Body, Controller, HttpCode, Ip, Post, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  confirmResult,
  emailLogin,
  emailRegister,
  loginResult,
  passwordChange,
  passwordReset,
  resetResult,
} from '@orange-id/contract/identity.schema';
import type {
  ConfirmResult,
  EmailLogin,
  EmailRegister,
  LoginResult,
  PasswordChange,
  PasswordReset,
  ResetResult,
} from '@orange-id/contract/identity.schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { TenantGuard } from '../tenants/tenant.guard.js';
import { EmailService } from './email.service.js';
import { PasswordResets } from './password.resets.js';
import { emailAccount, SignInLimits } from '../limits/sign-in.limits.js';
import { RequiresSignIn } from '../../auth/requires.sign-in.js';
import { SignInOutcomes } from '../../auth/sign-in.outcomes.js';
import { CurrentClient } from '../../auth/sign-in.client.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import { BrowserSessions } from '../browser/browser.session.js';
import { CurrentUser } from '../../auth/current.user.js';
import type { User } from '../../auth/user.entity.js';

@ApiTags('Identity')
@Controller('api/v1/auth/email')
@UseInterceptors(NoStoreInterceptor)
export class EmailController {
  constructor(
    private readonly emails: EmailService,
    private readonly resets: PasswordResets,
    private readonly browserSessions: BrowserSessions,
    private readonly signInLimits: SignInLimits,
    private readonly outcomes: SignInOutcomes,
  ) {}

  @Post('register')
  @HttpCode(200)
  @UseGuards(TenantGuard)
  @ApiOperation({
    summary: 'Create an account with email and password, sign in and send a confirmation link',
  })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  async register(
    @Ip() address: string,
    @CurrentClient() client: SignInClient,
    @Body({ schema: emailRegister }) { email, password }: EmailRegister,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginResult> {
    this.signInLimits.attempt(address, emailAccount(email));
    const { result, mark } = await this.emails.register(email, password, { ...client, address });
    this.signInLimits.passwordSet(address, emailAccount(email));
    await this.browserSessions.notePassword(request, reply, mark);
    return result;
  }

  @Post('login')
  @HttpCode(200)
  @UseGuards(TenantGuard)
  @ApiOperation({ summary: 'Sign in with email and password' })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  async login(
    @Ip() address: string,
    @CurrentClient() client: SignInClient,
    @Body({ schema: emailLogin }) { email, password }: EmailLogin,
    @Req() request: FastifyRequest,
  ): Promise<LoginResult> {
    const result = await this.outcomes.of('email', request, async () => {
      this.signInLimits.attempt(address, emailAccount(email));
      return this.emails.login(email, password, client);
    });
    this.signInLimits.succeeded(address, emailAccount(email));
    return result;
  }

  @Post('reset')
  @HttpCode(200)
  @UseGuards(TenantGuard)
  @ApiOperation({
    summary: 'Send a link to reset the password; the response is the same whether or not the account exists',
  })
  @ApiResponse({ status: 200, standardSchema: resetResult })
  async reset(
    @Ip() address: string,
    @Body({ schema: passwordReset }) { email }: PasswordReset,
  ): Promise<ResetResult> {
    // A separate key: requesting links must not keep the owner from signing in.
    this.signInLimits.attempt(address, `reset:${email.toLowerCase()}`);
    this.signInLimits.reset(address, email);
    await this.resets.request(email);
    return { code: 200, status: 'success' };
  }

  @Post('confirm/again')
  @HttpCode(200)
  @RequiresSignIn()
  @ApiOperation({
    summary: 'Resend the confirmation link to every unconfirmed email of the account',
  })
  @ApiResponse({ status: 200, standardSchema: confirmResult })
  async confirmAgain(@Ip() address: string, @CurrentUser() user: User): Promise<ConfirmResult> {
    this.signInLimits.attempt(address);
    return { sent: await this.emails.confirmAgain(user.id, address) };
  }

  @Post('change')
  @HttpCode(200)
  @RequiresSignIn()
  @ApiOperation({ summary: 'Change the password, end all sessions and start a new one' })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  async change(
    @Ip() address: string,
    @CurrentClient() client: SignInClient,
    @CurrentUser() user: User,
    @Body({ schema: passwordChange }) change: PasswordChange,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginResult> {
    // Counts with the sign-ins of this account, because a password can be guessed here too.
    const account = emailAccount(await this.emails.addressOf(user.id));
    this.signInLimits.attempt(address, account);
    const setHere = (await this.browserSessions.read(request))?.passwords ?? [];
    const { result, mark } = await this.emails.changePassword(user.id, change, setHere, client);
    this.signInLimits.succeeded(address, account);
    await this.browserSessions.notePassword(request, reply, mark);
    return result;
  }
}
