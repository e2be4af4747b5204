import { Body, Controller, HttpCode, Ip, Post, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { emailLogin, emailRegister, loginResult } from '@orange-id/contract/identity.schema';
import type { EmailLogin, EmailRegister, LoginResult } from '@orange-id/contract/identity.schema';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { EmailService } from './email.service.js';
import { SignInLimits } from '../sign-in.limits.js';

@ApiTags('identity')
@Controller('api/v1/auth/email')
@UseInterceptors(NoStoreInterceptor)
export class EmailController {
  constructor(
    private readonly emails: EmailService,
    private readonly signInLimits: SignInLimits,
  ) {}

  @Post('register')
  @HttpCode(200)
  @ApiOperation({ summary: 'Makes an account with e-mail and password and signs it in' })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  async register(
    @Ip() address: string,
    @Body({ schema: emailRegister }) { email, password }: EmailRegister,
  ): Promise<LoginResult> {
    this.signInLimits.attempt(address, accountKey(email));
    return this.emails.register(email, password);
  }

  @Post('login')
  @HttpCode(200)
  @ApiOperation({ summary: 'Signs in with e-mail and password' })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  async login(
    @Ip() address: string,
    @Body({ schema: emailLogin }) { email, password }: EmailLogin,
  ): Promise<LoginResult> {
    this.signInLimits.attempt(address, accountKey(email));
    const result = await this.emails.login(email, password);
    this.signInLimits.succeeded(accountKey(email));
    return result;
  }
}

const accountKey = (email: string): string => `email:${email.toLowerCase()}`;
