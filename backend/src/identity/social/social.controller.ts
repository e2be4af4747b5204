import { Controller, Get, Headers, Inject, Query, Res, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { providerName } from '@orange-id/contract/identity.schema';
import type { ProviderName } from '@orange-id/contract/identity.schema';
import type { FastifyReply } from 'fastify';
import { callbackUrlOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { PortalError } from '../../http/portal.error.js';
import { noticePage } from '../notice.page.js';
import { registeredCallback } from './redirect.rule.js';
import { requireTenant } from '../tenant.rule.js';

interface Notice {
  title: string;
  paragraphs: string[];
}

const providerTitles: Record<ProviderName, string> = { google: 'Google', apple: 'Apple' };

/** Sign-in with Google and Apple, by browser navigation. A page answers a browser, JSON any other client. */
@ApiTags('identity')
@Controller('api')
@UseInterceptors(NoStoreInterceptor)
export class SocialController {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  @Get('login')
  @ApiOperation({ summary: 'Leads into the identity service; provider is google or apple' })
  login(@Query('provider') given: unknown, @Res() reply: FastifyReply): void {
    const provider = providerName.safeParse(given);
    if (!provider.success) {
      throw new PortalError('auth.providerUnknown', {
        message: `provider must be google or apple (it is ${JSON.stringify(given ?? null)})`,
      });
    }
    const query = new URLSearchParams({
      state: this.callback,
      tenantId: this.environment.TENANT_ID,
      'subscription-key': this.environment.SUBSCRIPTION_KEY,
    });
    void reply.redirect(`/api/v1/auth/${provider.data.toUpperCase()}?${query}`, 302);
  }

  @Get(['v1/auth/GOOGLE', 'v1/auth/identifier/GOOGLE'])
  @ApiOperation({ summary: 'Sign-in, or linking, with Google' })
  google(
    @Query('state') state: unknown,
    @Query('tenantId') tenantId: unknown,
    @Headers('accept') accept: string,
    @Res() reply: FastifyReply,
  ): void {
    this.begin('google', { state, tenantId }, accept, reply);
  }

  @Get(['v1/auth/APPLE', 'v1/auth/identifier/APPLE'])
  @ApiOperation({ summary: 'Sign-in, or linking, with Apple' })
  apple(
    @Query('state') state: unknown,
    @Query('tenantId') tenantId: unknown,
    @Headers('accept') accept: string,
    @Res() reply: FastifyReply,
  ): void {
    this.begin('apple', { state, tenantId }, accept, reply);
  }

  private begin(
    provider: ProviderName,
    { state, tenantId }: { state: unknown; tenantId: unknown },
    accept: string | undefined,
    reply: FastifyReply,
  ): void {
    if (registeredCallback(state, [this.callback]) === null) {
      const error = new PortalError('auth.redirectInvalid', {
        message: `state must be the registered callback address ${this.callback}`,
      });
      return this.refuse(error, accept, reply, {
        title: 'This sign-in link is not valid',
        paragraphs: [
          'It asks to lead to an address that is not registered with this portal, so it leads nowhere.',
          `The registered address is ${this.callback}.`,
        ],
      });
    }
    try {
      requireTenant(tenantId, this.environment.TENANT_ID);
    } catch (error) {
      if (!(error instanceof PortalError)) throw error;
      return this.refuse(error, accept, reply, {
        title: 'This sign-in link is not valid',
        paragraphs: [
          'The page it comes from is set up for another tenant than the one of this portal.',
          `The tenant of this portal is ${this.environment.TENANT_ID}.`,
        ],
      });
    }
    const title = `Sign-in with ${providerTitles[provider]} is not available on this portal`;
    const error = new PortalError('auth.providerNotConfigured', {
      message: `${title}: sign in with e-mail or a wallet`,
    });
    this.refuse(error, accept, reply, {
      title,
      paragraphs: ['Go back and choose e-mail or a wallet instead: both work here.'],
    });
  }

  private refuse(error: PortalError, accept: string | undefined, reply: FastifyReply, notice: Notice): void {
    if (!accept?.includes('text/html')) throw error;
    void reply
      .status(error.statusCode)
      .type('text/html; charset=utf-8')
      .send(noticePage({ ...notice, link: { href: '/login', text: 'Back to sign-in' } }));
  }

  private get callback(): string {
    return callbackUrlOf(this.environment);
  }
}
