import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Ip,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { providers, signInMethods, type ProviderName } from '@orange-id/contract/sign-in.methods';
import { isTabValue, tabParameter, tabPattern } from '@orange-id/contract/tab.marker';
import {
  appFlow,
  type AppFlowInfo,
  type AppFlowNext,
  appFlowNext,
  appFlowSignIn,
  type AppFlowSignIn,
  authorizeQuery,
} from '@orange-id/contract/tenant.schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { allowForms } from '../../http/form.action.js';
import { ReadsForms } from '../../http/form.body.js';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { type Notice, noticePage, pageResponse, sendPage } from '../../http/notice.page.js';
import { PortalError } from '../../http/portal.error.js';
import { readRequest } from '../../http/request.issues.js';
import { AppFlows, type FlowEnd } from '../apps/app.flows.js';
import { SignInLimits } from '../limits/sign-in.limits.js';
import { previewOf } from '../sessions/account.preview.js';
import {
  appRefusal,
  consentNotice,
  notSavedNotice,
  returnPage,
  returnScriptHash,
  savedNotice,
} from './consent.pages.js';
import { showErrorsAsPages, wantsPage } from './error.page.js';

type Given = Record<string, unknown>;

const consentPath = '/api/v1/auth/consent';

/** Where the consent page of a flow is. */
export const consentAddress = (flow: string): string => `${consentPath}?flow=${flow}`;

/** Where the sign-in page of a flow is. */
export const appLoginAddress = (flow: string): string => `/login?app=${flow}`;

/**
 * Sign-in for the apps of projects, by top-level navigation: an app sends the browser to `authorize`, the person signs
 * in on the portal's own page and chooses what the app sees, and the browser returns to the app. Browsers get pages,
 * other clients JSON.
 */
@ApiTags('Identity')
@Controller('api/v1/auth')
@UseInterceptors(NoStoreInterceptor)
export class AuthorizeController {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly flows: AppFlows,
    private readonly signInLimits: SignInLimits,
  ) {}

  @Get('authorize')
  @ApiOperation({ summary: 'Begin a sign-in for the app of a project, in the browser' })
  @ApiQuery({ name: 'tenantId', description: 'The project ID.', schema: { type: 'string' } })
  @ApiQuery({
    name: 'callback',
    required: false,
    description:
      'The URL to return to, without a query: on one of the project’s URLs, or on a loopback host for development. Optional only with prompt=consent.',
    schema: { type: 'string' },
  })
  @ApiQuery({
    name: tabParameter,
    required: false,
    schema: { type: 'string', pattern: tabPattern.source },
    description:
      'A random value that comes back with the tokens, so that the page can tell its own sign-ins from links made by others. Left out if malformed.',
  })
  @ApiQuery({
    name: 'display',
    required: false,
    enum: ['page', 'popup'],
    description: 'With popup, the tokens return by postMessage to the window’s opener. The default is page.',
  })
  @ApiQuery({
    name: 'method',
    required: false,
    enum: signInMethods,
    description: 'The sign-in method to open. Google and Apple are opened at once.',
  })
  @ApiQuery({
    name: 'prompt',
    required: false,
    enum: ['consent'],
    description: 'Asks what the app sees even if the person has chosen before.',
  })
  @ApiResponse({ status: 302, description: 'A redirect to the sign-in page, or to the provider.' })
  async authorize(
    @Query() query: Given,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.page(request, reply, async () => {
      this.signInLimits.lookup(address);
      const { display, method, prompt } = readRequest(authorizeQuery, query, 'query');
      const code = this.flows.projectOf(query);
      if (code === null) {
        throw new PortalError('auth.tenantRequired', {
          message: 'The link names no project. Set tenantId to your project ID',
        });
      }
      const tab = query[tabParameter];
      const id = await this.flows.begin(request, reply, {
        code,
        callback: query['callback'],
        display,
        isAsked: prompt === 'consent',
        ...(method && { method }),
        ...(isTabValue(tab) && { tab }),
      });
      const isSocial = providers.includes(method as ProviderName);
      const next = isSocial ? `/api/v1/auth/${method?.toUpperCase()}?app=${id}` : appLoginAddress(id);
      void reply.redirect(next, 302);
    });
  }

  @Get('flows/:id')
  @ApiOperation({ summary: 'Get the app that a sign-in of this browser is for' })
  @ApiResponse({ status: 200, standardSchema: appFlow })
  async read(
    @Param('id') id: string,
    @Ip() address: string,
    @Req() request: FastifyRequest,
  ): Promise<AppFlowInfo> {
    this.signInLimits.lookup(address);
    const { flow, app } = await this.flows.read(request, id);
    return { app, display: flow.display, method: flow.method ?? null };
  }

  /** Only JSON: a page of another origin cannot send it with the cookie (CORS). */
  @Post('flows/:id')
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in to the app of a flow with both tokens of a portal session' })
  @ApiResponse({ status: 200, standardSchema: appFlowNext })
  async signIn(
    @Param('id') id: string,
    @Body({ schema: appFlowSignIn }) body: AppFlowSignIn,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppFlowNext> {
    this.signInLimits.lookup(address);
    await this.flows.signInWith(request, reply, id, body);
    return { next: consentAddress(id) };
  }

  @Get('consent')
  @ApiOperation({ summary: 'Show the page on which a person chooses what an app sees' })
  @ApiQuery({ name: 'flow', schema: { type: 'string' }, description: 'The flow of this browser.' })
  @ApiResponse(pageResponse)
  @ApiResponse({
    status: 302,
    description: 'A redirect to the sign-in page; or, if the person has chosen before, to the app.',
  })
  async ask(
    @Query('flow') id: unknown,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.page(request, reply, async () => {
      this.signInLimits.lookup(address);
      const question = await this.flows.question(request, id);
      if (question === null) return void reply.redirect(appLoginAddress(id as string), 302);
      const { flow, app, granted, isNewOrigin } = question;
      // Any program on a computer can answer at its loopback addresses (RFC 8252 §8.6), so those are always asked for.
      // A consent given at one origin must not carry to another one that the project's owner adds later.
      if (granted !== null && !flow.isAsked && !app.isLocal && !isNewOrigin) {
        return this.leave(reply, await this.flows.proceed(request, id as string, flow), 302);
      }
      const account = await previewOf(question.user, this.dataSource);
      if (flow.callback !== null) allowForms(reply, [app.origin]);
      this.show(reply, consentNotice(question, account, { action: consentPath, flow: id as string }));
    });
  }

  @Post('consent')
  @ReadsForms()
  @HttpCode(200)
  @ApiOperation({ summary: 'Answer the consent page with its form, and return to the app' })
  @ApiResponse(pageResponse)
  @ApiResponse({
    status: 303,
    description:
      'A redirect to the callback URL with token, refreshToken and tab, or with error=access_denied and tab.',
  })
  async answer(
    @Body() body: unknown,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.page(request, reply, async () => {
      this.signInLimits.lookup(address);
      this.leave(reply, await this.flows.answer(request, body), 303);
    });
  }

  private leave(reply: FastifyReply, end: FlowEnd, status: 302 | 303): void {
    const { callback, display, tab } = end.flow;
    if (callback === null) {
      return this.show(reply, end.kind === 'consented' ? savedNotice(end) : notSavedNotice(end));
    }
    const mark: Record<string, string> = tab === undefined ? {} : { [tabParameter]: tab };
    const tokens =
      end.kind === 'consented' && end.tokens
        ? { token: end.tokens.accessToken, refreshToken: end.tokens.refreshToken }
        : null;
    const url = new URL(callback);
    for (const [name, value] of Object.entries({ ...(tokens ?? { error: 'access_denied' }), ...mark })) {
      url.searchParams.set(name, value);
    }
    if (display === 'page') return void reply.redirect(url.href, status);
    const message = { type: tokens ? 'orange-id.signin' : 'orange-id.cancelled', ...tokens, ...mark };
    const html = returnPage({ origin: url.origin, message, address: url.href });
    sendPage(reply, html, { more: { 'script-src': returnScriptHash } });
  }

  private show(reply: FastifyReply, notice: Notice): void {
    sendPage(reply, noticePage(notice), { status: 200 });
  }

  private page(request: FastifyRequest, reply: FastifyReply, work: () => Promise<void>): Promise<void> {
    return showErrorsAsPages(
      reply,
      wantsPage(request.headers.accept),
      (error) => appRefusal(error, this.environment.PUBLIC_URL),
      work,
    );
  }
}
