import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Ip,
  Post,
  Query,
  Req,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { LoginResult } from '@orange-id/contract/identity.schema';
import { providers, providerTitles } from '@orange-id/contract/sign-in.methods';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { isTabValue, tabParameter, tabPattern } from '@orange-id/contract/tab.marker';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignInOutcomes } from '../../auth/sign-in.outcomes.js';
import { callbackUrlOf, providerVariables, registeredCallbacksOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { providerSourceOf } from '../../config/social.providers.js';
import { allowForms } from '../../http/form.action.js';
import { ReadsForms } from '../../http/form.body.js';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { PortalError } from '../../http/portal.error.js';
import { linkedAccountsAddress } from '../mails/linked.accounts.address.js';
import { AppFlows } from '../apps/app.flows.js';
import { Notice, noticePage, pageResponse, sendPage } from '../../http/notice.page.js';
import { SignInLimits } from '../limits/sign-in.limits.js';
import { namedTenant, unknownTenant } from '../tenants/tenant.rule.js';
import { showErrorsAsPages, wantsPage } from './error.page.js';
import { answerLogin } from './login.address.js';
import type { Flow } from '../browser/browser.session.js';
import { OpenidClients } from '../social/openid.clients.js';
import { Provider } from '../social/provider.parameter.js';
import { registeredCallback } from '../../config/callback.rule.js';
import { SocialFlows } from '../social/social.flows.js';
import { consentAddress } from './authorize.controller.js';
import { appRefusal, endsAppSignIn } from './consent.pages.js';
import { confirmLink, Attempt, noticeOf } from './social.pages.js';

type Given = Record<string, unknown>;

const toProvider = 'A redirect to the provider.';

/** Sign-in with Google and Apple, by browser navigation. Browsers get pages, other clients JSON. */
@ApiTags('Identity')
@Controller('api')
@UseInterceptors(NoStoreInterceptor)
export class SocialController {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly apps: AppFlows,
    private readonly clients: OpenidClients,
    private readonly flows: SocialFlows,
    private readonly signInLimits: SignInLimits,
    private readonly outcomes: SignInOutcomes,
  ) {}

  @Get('login')
  @ApiOperation({ summary: 'Redirect to the identity service; provider is google or apple' })
  @ApiQuery({
    name: tabParameter,
    required: false,
    schema: { type: 'string', pattern: tabPattern.source },
    description:
      'A random value that is added to the callback URL, so that the page can tell its own sign-ins from links made by others. Left out if missing or malformed.',
  })
  @ApiQuery({
    name: 'provider',
    enum: providers,
    description: 'The provider to sign in with. It has no default.',
  })
  @ApiResponse({ status: 302, description: 'A redirect to the identity service.' })
  login(@Query() query: Given, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    answerLogin(this.environment, query, request, reply);
  }

  @Get(['v1/auth/GOOGLE', 'v1/auth/APPLE'])
  @ApiOperation({
    summary:
      'Redirect to the provider to sign in; state is the callback URL, or app a sign-in that an app has begun',
  })
  @ApiResponse({ status: 302, description: toProvider })
  async begin(
    @Provider() provider: ProviderName,
    @Query() query: Given,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const attempt = this.attempt(provider, false);
    await this.page(request, reply, attempt, async () => {
      const code = query['app'] === undefined ? this.apps.projectOf(query) : null;
      if (code !== null) {
        attempt.isForApp = true;
        this.signInLimits.lookup(address);
        return void reply.redirect(await this.beginForApp(request, reply, code, query), 302);
      }
      const begun = await this.begunFor(request, query, attempt);
      this.requireConfigured(attempt);
      this.signInLimits.attempt(address);
      const url = await this.flows.begin(request, reply, { provider, ...begun });
      void reply.redirect(url, 302);
    });
  }

  @Get(['v1/auth/GOOGLE/callback', 'v1/auth/APPLE/callback'])
  @ApiOperation({
    summary: 'Finish a sign-in, link or confirmation when the provider redirects back',
  })
  @ApiResponse({
    status: 302,
    description:
      'A redirect to the callback URL with token and refreshToken; after a confirmation, to the sign-in methods; for an app, to the consent page.',
  })
  async finish(
    @Provider() provider: ProviderName,
    @Query() query: Given,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const attempt = this.attempt(provider, false);
    await this.page(request, reply, attempt, async () => {
      const taken = await this.flows.take(request, provider, query);
      Object.assign(attempt, this.attempt(provider, taken.flow.link !== undefined, taken.flow.callback));
      if (taken.flow.proof) {
        attempt.isProof = true;
        await this.flows.finishProof(request, reply, taken, taken.flow.proof.userId);
        return void reply.redirect(linkedAccountsAddress(attempt.portal), 302);
      }
      const { app } = taken.flow;
      if (app !== undefined) {
        Object.assign(attempt, { app, isForApp: true });
        await this.outcomes.of(provider, request, () => this.flows.finishForApp(request, reply, taken, app));
        return void reply.redirect(consentAddress(app), 302);
      }
      const result = await (taken.flow.link
        ? this.flows.finish(request, reply, taken)
        : this.outcomes.of(provider, request, () => this.flows.finish(request, reply, taken)));
      void reply.redirect(withTokens(taken.flow, result), 302);
    });
  }

  /**
   * A form posted from another site is sent without the portal's cookie, so this redirects to a GET, which the browser
   * sends with it.
   */
  @Post('v1/auth/APPLE/callback')
  @ReadsForms()
  @HttpCode(303)
  @ApiOperation({ summary: 'Accept Apple’s form post and redirect to the GET callback' })
  @ApiResponse({ status: 303, description: 'A redirect to the GET callback.' })
  post(@Body() body: unknown, @Res() reply: FastifyReply): void {
    const fields = typeof body === 'object' && body !== null ? (body as Given) : {};
    const query = new URLSearchParams();
    for (const name of ['state', 'code', 'error', 'iss', 'user']) {
      const value = fields[name];
      // A URL must fit into a header. Only the name could be too long, and it is optional.
      if (typeof value === 'string' && value.length <= 2048) query.set(name, value);
    }
    void reply.redirect(`/api/v1/auth/APPLE/callback?${query}`, 303);
  }

  @Get(['v1/auth/identifier/GOOGLE', 'v1/auth/identifier/APPLE'])
  @ApiOperation({
    summary: 'Show a page that asks for consent to link the provider; token is an access token',
  })
  @ApiResponse(pageResponse)
  @ApiResponse({ status: 303, description: 'A redirect to the page, which removes the token from the URL.' })
  async propose(
    @Provider() provider: ProviderName,
    @Query() query: Given,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const attempt = this.attempt(provider, true);
    await this.page(request, reply, attempt, async () => {
      if (query['flow'] !== undefined) return this.ask(request, reply, attempt, query['flow']);
      const callback = this.requireAsked(query);
      Object.assign(attempt, this.attempt(provider, true, callback));
      this.requireOwn(callback);
      this.requireConfigured(attempt);
      this.signInLimits.attempt(address);
      const token = typeof query['token'] === 'string' ? query['token'] : '';
      const flow = await this.flows.propose(request, reply, { provider, callback, token, ...tabOf(query) });
      // The access token must not stay in the URL.
      void reply.redirect(`${linkPath(provider)}?flow=${flow}`, 303);
    });
  }

  @Post(['v1/auth/identifier/GOOGLE', 'v1/auth/identifier/APPLE'])
  @ReadsForms()
  @HttpCode(303)
  @ApiOperation({ summary: 'Confirm linking with the values from the page and redirect to the provider' })
  @ApiResponse({ status: 303, description: toProvider })
  async confirm(
    @Provider() provider: ProviderName,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const attempt = this.attempt(provider, true);
    await this.page(request, reply, attempt, async () => {
      const flow = await this.flows.confirm(request, provider, body);
      Object.assign(attempt, this.attempt(provider, true, flow.callback));
      this.requireConfigured(attempt);
      const url = await this.flows.begin(request, reply, flow);
      void reply.redirect(url, 303);
    });
  }

  private async ask(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: Attempt,
    id: unknown,
  ): Promise<void> {
    const { flow, account, csrf } = await this.flows.proposed(request, attempt.provider, id);
    Object.assign(attempt, this.attempt(attempt.provider, true, flow.callback));
    const action = linkPath(attempt.provider);
    allowForms(reply, [await this.clients.originOf(attempt.provider)]);
    send(reply, 200, confirmLink(attempt, { account, action, flow: id as string, csrf }));
  }

  /** What a sign-in is for: one that an app has begun in this browser (`app`), or the portal with the callback `state`. */
  private async begunFor(
    request: FastifyRequest,
    query: Given,
    attempt: Attempt,
  ): Promise<Pick<Flow, 'callback' | 'tab' | 'app'>> {
    const { app } = query;
    if (app === undefined) return { callback: this.requireAsked(query), ...tabOf(query) };
    attempt.isForApp = true;
    await this.apps.read(request, app);
    attempt.app = app as string;
    return { callback: callbackUrlOf(this.environment), app: app as string };
  }

  /**
   * Begins an app's sign-in on the identity client's wire, with the callback `state`, and returns the browser's next
   * address: this route again, because the first response may be what gives the browser its cookie.
   */
  private async beginForApp(
    request: FastifyRequest,
    reply: FastifyReply,
    code: string,
    query: Given,
  ): Promise<string> {
    const app = await this.apps.begin(request, reply, {
      code,
      callback: query['state'],
      display: 'page',
      isAsked: false,
      ...tabOf(query),
    });
    return `${request.url.replace(/\?.*/, '')}?app=${app}`;
  }

  private requireAsked(query: Given): string {
    const callbacks = registeredCallbacksOf(this.environment);
    const callback = registeredCallback(query['state'], callbacks);
    if (callback === null) {
      throw new PortalError('auth.redirectInvalid', {
        message: `state must be ${
          callbacks.length === 1 ? `the registered callback URL ${callbacks[0]}` : 'a registered callback URL'
        }`,
      });
    }
    const named = namedTenant({ tenantId: query['tenantId'], key: undefined }, this.environment);
    if (named !== null && named !== 'portal') throw unknownTenant(query['tenantId']);
    return callback;
  }

  /**
   * Only a page of this portal may add a sign-in method and receive the account's new tokens. Throws
   * `auth.tokenForeign`.
   */
  private requireOwn(callback: string): void {
    const { PUBLIC_URL } = this.environment;
    const { origin } = new URL(callback);
    if (origin === PUBLIC_URL) return;
    throw new PortalError('auth.tokenForeign', {
      message: `Sign-in methods can be added at ${PUBLIC_URL} only, not at ${origin}`,
    });
  }

  private requireConfigured({ provider, isLink }: Attempt): void {
    if (providerSourceOf(this.environment, provider) !== 'none') return;
    const attemptTitle = `${isLink ? 'Connecting' : 'Sign-in with'} ${providerTitles[provider]}`;
    throw new PortalError('auth.providerNotConfigured', {
      message: `${attemptTitle} isn’t available on this portal. To enable it, set ${providerVariables[provider].join(', ')}`,
    });
  }

  private attempt(provider: ProviderName, isLink: boolean, callback = this.environment.PUBLIC_URL): Attempt {
    return { provider, isLink, portal: new URL(callback).origin };
  }

  /** Runs `work`; shows its errors to a browser as a page, worded by the current value of `attempt`. */
  private page(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: Attempt,
    work: () => Promise<void>,
  ): Promise<void> {
    const noticeFor = (error: PortalError) =>
      attempt.isForApp && endsAppSignIn(error.code)
        ? appRefusal(error, this.environment.PUBLIC_URL)
        : noticeOf(error, attempt, this.environment);
    return showErrorsAsPages(reply, wantsPage(request.headers.accept), noticeFor, work);
  }
}

function send(reply: FastifyReply, status: number, notice: Notice): void {
  sendPage(reply, noticePage(notice), { status });
}

const linkPath = (provider: ProviderName): string => `/api/v1/auth/identifier/${provider.toUpperCase()}`;

/** The tab's marker for the callback URL; left out unless it is well formed. */
const tabOf = ({ [tabParameter]: tab }: Given): { tab?: string } => (isTabValue(tab) ? { tab } : {});

function withTokens({ callback, tab }: Pick<Flow, 'callback' | 'tab'>, { token }: LoginResult): string {
  const url = new URL(callback);
  url.searchParams.set('token', token.accessToken);
  url.searchParams.set('refreshToken', token.refreshToken);
  if (tab !== undefined) url.searchParams.set(tabParameter, tab);
  return url.href;
}
