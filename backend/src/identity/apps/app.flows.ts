import { Inject, Injectable } from '@nestjs/common';
import type { LoginResult } from '@orange-id/contract/identity.schema';
import type { AppFlowSignIn } from '@orange-id/contract/tenant.schema';
import { tenantClaims, type TenantClaim } from '@orange-id/contract/tenant.claims';
import { isLoopbackHost } from '@orange-id/contract/whitelist.rule';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AccessTokenVerifier } from '../../auth/access-token.verifier.js';
import type { ProjectTenant } from '../../auth/tenant.js';
import type { User } from '../../auth/user.entity.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { PortalError } from '../../http/portal.error.js';
import {
  addAppFlow,
  type AppFlow,
  BrowserSessions,
  findAppFlow,
  takeAppFlow,
} from '../browser/browser.session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { claimsWithValue } from '../tenants/app.user.js';
import { regionOf } from '../tenants/region.rule.js';
import { namedTenant, shownName } from '../tenants/tenant.rule.js';
import { TenantsRepository } from '../tenants/tenants.repository.js';
import { Tenants } from '../tenants/tenants.service.js';

/** An app as people see it. `origin` is that of its page, or the first that its project allows. */
export interface ShownApp {
  name: string;
  projectId: string;
  origin: string;
  isLocal: boolean;
}

/** What the consent page asks. `granted` is null for a person who has not been asked before. */
export interface ConsentQuestion {
  flow: AppFlow;
  app: ShownApp;
  /** The path of an uploaded logo: one from elsewhere would tell its owner who visits. */
  logo: string | null;
  user: User;
  provider: string;
  /** What there is to see. */
  claims: TenantClaim[];
  granted: readonly TenantClaim[] | null;
  /** Whether the person has no stored session with the app at its origin. */
  isNewOrigin: boolean;
  /** The app's name before a recent renaming. */
  previousName: string | null;
}

/** How a flow ended. `tokens` is null if the person only changed what the app sees. */
export type FlowEnd =
  | {
      kind: 'consented';
      flow: AppFlow;
      app: ShownApp;
      tokens: LoginResult['token'] | null;
      claims: TenantClaim[];
    }
  | { kind: 'cancelled'; flow: AppFlow; app: ShownApp };

const form = z.object({
  flow: z.string().max(200),
  csrf: z.string().max(200),
  answer: z.literal('cancel').optional(),
});

/**
 * Sign-ins that apps begin, from their request to the consent. Each is bound to the browser session it began in, works
 * once and ends after 30 minutes. The portal's own sign-in in this browser is neither used nor changed.
 */
@Injectable()
export class AppFlows {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly browserSessions: BrowserSessions,
    private readonly sessions: SessionsService,
    private readonly tenants: Tenants,
    private readonly tenantRows: TenantsRepository,
    private readonly verifier: AccessTokenVerifier,
  ) {}

  /** The project that a URL names by its tenantId or subscription key; null for none, or for the portal. */
  projectOf({ tenantId, 'subscription-key': key }: Record<string, unknown>): string | null {
    const named = namedTenant({ tenantId, key }, this.environment);
    return named === null || named === 'portal' ? null : named.code;
  }

  /**
   * Begins a flow and returns its id. Only a flow that asks may have no callback. Throws `auth.tenantUnknown` and
   * `auth.redirectInvalid`.
   */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Pick<AppFlow, 'code' | 'display' | 'isAsked' | 'method' | 'tab'> & { callback: unknown },
  ): Promise<string> {
    const { isAsked, callback: given, code } = asked;
    const callback = isAsked && given === undefined ? null : await this.callbackOf(code, given);
    if (callback === null) await this.tenants.find(code);
    const id = newSecret();
    const region = regionOf(request, this.environment);
    await this.browserSessions.open(request, reply, (content) =>
      addAppFlow(content, id, { ...asked, callback, region, csrf: newSecret() }),
    );
    return id;
  }

  private async callbackOf(code: string, given: unknown): Promise<string> {
    return (await this.tenants.requireCallback(code, given)).callback;
  }

  /** A flow of this browser, and its app. Throws `auth.flowInvalid`. */
  async read(request: FastifyRequest, id: unknown): Promise<{ flow: AppFlow; app: ShownApp }> {
    const content = typeof id === 'string' ? await this.browserSessions.read(request) : null;
    const flow = content && findAppFlow(content, id as string);
    if (!flow) throw new PortalError('auth.flowInvalid');
    return { flow, app: await this.appOf(flow) };
  }

  private async appOf({ code, callback }: AppFlow): Promise<ShownApp> {
    const { tenant, urls } = await this.tenants.find(code);
    const url = new URL(callback ?? urls[0] ?? this.environment.PUBLIC_URL);
    const isLocal = isLoopbackHost(url.hostname);
    return { name: shownName(tenant), projectId: code, origin: url.origin, isLocal };
  }

  /**
   * Accepts both tokens of a portal session for a flow of this browser: an access token alone, which may be stolen,
   * signs nobody in to an app. Throws `auth.flowInvalid`, `auth.tokenInvalid` and `auth.refreshInvalid`.
   */
  async signInWith(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    { token, refreshToken, isTemporary }: AppFlowSignIn,
  ): Promise<void> {
    const { user, sessionId } = await this.verifier.verify(token);
    if (!(await this.sessions.owns(sessionId, refreshToken))) throw new PortalError('auth.refreshInvalid');
    await this.signIn(request, reply, id, { userId: user.id, sessionId, isTemporary });
  }

  /**
   * Records who has signed in for a flow of this browser, under a new value of its cookie. Throws `auth.flowInvalid`.
   */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    signedIn: NonNullable<AppFlow['signedIn']>,
  ): Promise<void> {
    const change = await this.browserSessions.renew(request, reply, (content) => {
      const flow = findAppFlow(content, id);
      if (flow === null) return null;
      const before = flow.signedIn;
      Object.assign(flow, { signedIn, csrf: newSecret() });
      return { before, endsAt: new Date(flow.expiresAtMs) };
    });
    if (change === null) throw new PortalError('auth.flowInvalid');
    // If the person leaves the flow, its session ends with it.
    if (signedIn.isTemporary) await this.sessions.limit(signedIn.sessionId, change.endsAt);
    if (change.before && change.before.sessionId !== signedIn.sessionId)
      await this.endTemporary(change.before);
  }

  /**
   * What to ask the person who has signed in for a flow. Throws `auth.flowInvalid`, and `auth.tokenInvalid` if their
   * session has ended. Null if nobody has signed in for it yet.
   */
  async question(request: FastifyRequest, id: unknown, now = new Date()): Promise<ConsentQuestion | null> {
    const { flow, app } = await this.read(request, id);
    if (!flow.signedIn) return null;
    const { userId, sessionId } = flow.signedIn;
    const signedIn = await this.sessions.findSignedIn(sessionId, userId);
    if (signedIn === null) throw new PortalError('auth.tokenInvalid');
    const { tenant } = await this.tenants.find(flow.code);
    const { code, projectId } = tenant;
    const before = await this.tenantRows.granted(projectId, userId, app.origin);
    const granted = before?.consentedAt ? before.claims : null;
    const isNewOrigin = granted !== null && flow.callback !== null && !before?.isOriginKnown;
    const former = await this.tenantRows.previousName(projectId, before?.consentedAt ?? null, now);
    const previousName = former && shownName({ name: former, code });
    const logo = await this.tenantRows.uploadedLogo(projectId);
    const claims = claimsWithValue(signedIn.user);
    return { flow, app, logo, ...signedIn, claims, granted, isNewOrigin, previousName };
  }

  /** Ends a flow of this browser without a question: the person has consented before. Throws as `answer` does. */
  async proceed(request: FastifyRequest, id: string, { csrf }: AppFlow): Promise<FlowEnd> {
    return this.end(request, await this.take(request, id, csrf), null);
  }

  /**
   * Ends a flow of this browser with the answer of its form. Throws `auth.flowInvalid`; `auth.tokenInvalid` if the
   * person's session has ended; `auth.redirectInvalid` if the project no longer allows the callback.
   */
  async answer(request: FastifyRequest, body: unknown): Promise<FlowEnd> {
    const given = form.safeParse(body).data;
    if (!given) throw new PortalError('auth.flowInvalid');
    const flow = await this.take(request, given.flow, given.csrf);
    if (given.answer === 'cancel') {
      await this.endTemporary(flow.signedIn);
      return { kind: 'cancelled', flow, app: await this.appOf(flow) };
    }
    const claims = tenantClaims.filter((claim) => (body as Record<string, unknown>)[claim] === 'yes');
    return this.end(request, flow, claims);
  }

  private async take(
    request: FastifyRequest,
    id: string,
    csrf: string,
  ): Promise<AppFlow & Required<Pick<AppFlow, 'signedIn'>>> {
    const flow = await this.browserSessions.change(request, (content) =>
      takeAppFlow(content, id, (each) => each.signedIn !== undefined && isSame(each.csrf, csrf)),
    );
    if (!flow?.signedIn) throw new PortalError('auth.flowInvalid');
    return { ...flow, signedIn: flow.signedIn };
  }

  private async end(
    request: FastifyRequest,
    flow: AppFlow & Required<Pick<AppFlow, 'signedIn'>>,
    claims: TenantClaim[] | null,
  ): Promise<FlowEnd> {
    const owner = { ...flow.signedIn, userAgent: request.headers['user-agent'], region: flow.region };
    try {
      const app = await this.appOf(flow);
      if (flow.callback === null) {
        const { tenant } = await this.tenants.find(flow.code);
        await this.sessions.grantToApp(owner, tenant, claims ?? []);
        return { kind: 'consented', flow, app, tokens: null, claims: claims ?? [] };
      }
      const { tenant }: { tenant: ProjectTenant } = await this.tenants.requireCallback(
        flow.code,
        flow.callback,
      );
      const { token } = await this.sessions.beginInApp(owner, tenant, claims);
      return { kind: 'consented', flow, app, tokens: token, claims: claims ?? [] };
    } finally {
      await this.endTemporary(flow.signedIn);
    }
  }

  private async endTemporary(signedIn: AppFlow['signedIn']): Promise<void> {
    if (signedIn?.isTemporary) await this.sessions.end(signedIn.sessionId);
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url');

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
