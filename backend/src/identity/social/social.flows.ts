import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { AccountPreview, LoginResult } from '@orange-id/contract/identity.schema';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { providerTitles } from '@orange-id/contract/sign-in.methods';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { callbackUrlOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { providerSourceOf } from '../../config/social.providers.js';
import { PortalError } from '../../http/portal.error.js';
import { AppFlows } from '../apps/app.flows.js';
import { previewOf } from '../sessions/account.preview.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AccessTokenVerifier } from '../../auth/access-token.verifier.js';
import { portalTenant } from '../../auth/tenant.js';
import { addFlow, BrowserSessions, findFlow, Flow, takeFlow } from '../browser/browser.session.js';
import { OpenidClients, ProviderAccount } from './openid.clients.js';
import { SocialAccounts } from './social.accounts.js';

/** The query of a provider's response. `user` is Apple's JSON with the name, sent at the first sign-in only. */
const providerAnswer = z.object({
  state: z.string().max(200),
  code: z.string().max(4096).optional(),
  error: z.string().max(200).optional(),
  iss: z.string().max(2048).optional(),
  user: z.string().max(4096).optional(),
});
export type ProviderAnswer = z.infer<typeof providerAnswer>;

/** A provider's response and its flow, which is no longer stored. */
interface ConsumedFlow {
  flow: Flow;
  answer: ProviderAnswer;
}

const confirmation = z.strictObject({ flow: z.string().max(200), csrf: z.string().max(200) });

const appleUser = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
});

/** The error codes of providers for a cancelled sign-in. */
const cancellations = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'];

/**
 * The flows from a browser to a provider and back. Each is bound to the browser session it began in, works once and
 * ends after 30 minutes.
 */
@Injectable()
export class SocialFlows {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly accounts: SocialAccounts,
    private readonly apps: AppFlows,
    private readonly clients: OpenidClients,
    private readonly dataSource: DataSource,
    private readonly browserSessions: BrowserSessions,
    private readonly sessions: SessionsService,
    private readonly verifier: AccessTokenVerifier,
  ) {}

  /** Begins a sign-in, or a confirmed linking, and returns the browser's next address. Throws `auth.providerFailed`. */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      provider,
      callback,
      link,
      proposal,
      tab,
      app,
    }: Pick<Flow, 'provider' | 'callback' | 'link' | 'proposal' | 'tab' | 'app'>,
  ): Promise<string> {
    const state = newSecret();
    const { url, nonce, verifier } = await this.clients.begin(provider, state);
    const optional = {
      ...(link && { link }),
      ...(proposal && { proposal }),
      ...(tab && { tab }),
      ...(app && { app }),
    };
    const flow = { provider, callback, ...optional, nonce, verifier };
    await this.browserSessions.open(request, reply, (content) => addFlow(content, state, flow));
    return url.href;
  }

  /** Consumes and returns the flow that a provider's response belongs to. Throws `auth.flowInvalid`. */
  async take(request: FastifyRequest, provider: ProviderName, query: unknown): Promise<ConsumedFlow> {
    const answer = providerAnswer.safeParse(query).data;
    const flow =
      answer &&
      (await this.browserSessions.change(request, (content) => {
        const found = takeFlow(
          content,
          answer.state,
          (each) =>
            each.provider === provider &&
            each.verifier !== undefined &&
            (each.link === undefined || each.link.userId === content.userId) &&
            (each.proof === undefined || each.proof.userId === content.userId),
        );
        if (found?.proposal !== undefined) delete content.flows[found.proposal];
        return found;
      }));
    if (!flow) throw new PortalError('auth.flowInvalid');
    return { flow, answer };
  }

  /**
   * Begins to confirm the user's identity with a linked provider account, and returns the browser's next address.
   * Throws `auth.browserUnbound`, `auth.methodNotFound`, `auth.providerNotConfigured` and `auth.providerFailed`.
   */
  async beginProof(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: ProviderName,
    userId: string,
  ): Promise<string> {
    await this.browserSessions.requireBound(request, userId);
    if (providerSourceOf(this.environment, provider) === 'none') {
      throw new PortalError('auth.providerNotConfigured');
    }
    await this.accounts.requireLinked(userId, provider);
    const state = newSecret();
    const { url, nonce, verifier } = await this.clients.begin(provider, state, { isFresh: true });
    const flow = { provider, callback: callbackUrlOf(this.environment), proof: { userId }, nonce, verifier };
    await this.browserSessions.open(request, reply, (content) => addFlow(content, state, flow));
    return url.href;
  }

  /**
   * Completes a confirmation from `beginProof` with the provider's response. If the provider says when the user signed
   * in there, that time counts. Throws `auth.flowCancelled`, `auth.providerFailed`, `auth.proofInvalid` and
   * `auth.browserUnbound`.
   */
  async finishProof(
    request: FastifyRequest,
    reply: FastifyReply,
    consumed: ConsumedFlow,
    userId: string,
  ): Promise<void> {
    const { provider } = consumed.flow;
    const { subject, signedInAt } = await this.accountOf(consumed);
    await this.accounts.requireLinked(userId, provider, subject);
    const agoMs = signedInAt === null ? 0 : Math.max(0, Date.now() - signedInAt.getTime());
    if (agoMs > limits.freshProofSeconds * 1000) {
      throw new PortalError('auth.proofInvalid', {
        message: `${providerTitles[provider]} used an earlier sign-in and didn’t ask for a new one`,
      });
    }
    await this.browserSessions.prove(request, reply, userId, agoMs);
  }

  /**
   * Completes a flow with the provider's response: signs in, or links. Throws `auth.flowCancelled`,
   * `auth.providerFailed` and what `SocialAccounts` throws.
   */
  async finish(request: FastifyRequest, reply: FastifyReply, consumed: ConsumedFlow): Promise<LoginResult> {
    const { provider, link } = consumed.flow;
    const userAgent = request.headers['user-agent'];
    const result = link
      ? await this.accounts.link(provider, await this.namedAccountOf(consumed), link, userAgent)
      : await this.signIn(consumed, userAgent, new URL(consumed.flow.callback).origin);
    const { userId, sessionId } = sessionOf(result);
    await this.browserSessions.bind(request, reply, { userId, sessionId });
    return result;
  }

  /**
   * Completes a flow that is for an app's sign-in: with a session of the portal that ends with it, and without binding
   * the browser. Throws as `finish` and `AppFlows.signIn` do.
   */
  async finishForApp(
    request: FastifyRequest,
    reply: FastifyReply,
    consumed: ConsumedFlow,
    app: string,
  ): Promise<void> {
    // Before an account is created for a flow that has ended.
    await this.apps.read(request, app);
    const result = await this.signIn(consumed, request.headers['user-agent'], this.environment.PUBLIC_URL);
    await this.apps.signIn(request, reply, app, { ...sessionOf(result), isTemporary: true });
  }

  private async signIn(
    consumed: ConsumedFlow,
    userAgent: string | undefined,
    origin: string,
  ): Promise<LoginResult> {
    const account = await this.namedAccountOf(consumed);
    return this.accounts.signIn(consumed.flow.provider, account, { userAgent, origin, tenant: portalTenant });
  }

  private async namedAccountOf(consumed: ConsumedFlow): Promise<ProviderAccount> {
    const account = await this.accountOf(consumed);
    return consumed.flow.provider === 'apple' ? withName(account, consumed.answer.user) : account;
  }

  /** The verified data in the provider's response. Throws `auth.flowCancelled` and `auth.providerFailed`. */
  private accountOf({ flow, answer }: ConsumedFlow): Promise<ProviderAccount> {
    const { user: _user, ...sent } = answer;
    if (cancellations.includes(answer.error ?? '')) throw new PortalError('auth.flowCancelled');
    return this.clients.finish(flow.provider, new URLSearchParams(sent), {
      state: answer.state,
      nonce: flow.nonce as string,
      verifier: flow.verifier as string,
    });
  }

  /**
   * Stores a linking that waits for its confirmation and returns its id. Works only in the browser that is signed in to
   * the account of the access token: a user who follows another user's link links nothing. Throws `auth.tokenInvalid`,
   * `auth.linkOtherAccount` and `auth.proofRequired`.
   */
  async propose(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, ...begun }: Pick<Flow, 'provider' | 'callback' | 'tab'> & { token: string },
  ): Promise<string> {
    const { user, sessionId } = await this.verifier.verify(token);
    const content = await this.browserSessions.read(request);
    const isHere =
      content?.userId === user.id &&
      (await this.sessions.findUser(content.sessionId as string, user.id)) !== null;
    if (!isHere) throw new PortalError('auth.linkOtherAccount');
    await this.browserSessions.requireProof(request, user.id);
    const id = newSecret();
    await this.browserSessions.open(request, reply, (session) =>
      addFlow(session, id, {
        ...begun,
        link: { userId: user.id, sessionId },
        csrf: newSecret(),
      }),
    );
    return id;
  }

  /** A linking that waits for its confirmation, and the account it adds a method to. Throws `auth.flowInvalid`. */
  async proposed(
    request: FastifyRequest,
    provider: ProviderName,
    id: unknown,
  ): Promise<{ flow: Flow; account: AccountPreview; csrf: string }> {
    const flow = typeof id === 'string' ? await this.readProposal(request, provider, id) : null;
    const user = flow?.link ? await this.sessions.findUser(flow.link.sessionId, flow.link.userId) : null;
    if (!flow || !user) throw new PortalError('auth.flowInvalid');
    return { flow, account: await previewOf(user, this.dataSource), csrf: flow.csrf as string };
  }

  /**
   * The linking that this form confirms. The form works until the provider has responded, so that a double click, a
   * request that the browser repeats, and going back from the provider's page all continue. Throws `auth.flowInvalid`
   * and `auth.proofRequired`.
   */
  async confirm(request: FastifyRequest, provider: ProviderName, body: unknown): Promise<Flow> {
    const form = confirmation.safeParse(body).data;
    if (!form) throw new PortalError('auth.flowInvalid');
    const flow = await this.readProposal(request, provider, form.flow);
    if (!flow?.link || !isSame(flow.csrf as string, form.csrf)) throw new PortalError('auth.flowInvalid');
    await this.browserSessions.requireProof(request, flow.link.userId);
    return { ...flow, proposal: form.flow };
  }

  private async readProposal(
    request: FastifyRequest,
    provider: ProviderName,
    id: string,
  ): Promise<Flow | null> {
    const content = await this.browserSessions.read(request);
    return content && findFlow(content, id, isProposed(provider, content.userId));
  }
}

const isProposed =
  (provider: ProviderName, userId: string | undefined) =>
  (flow: Flow): boolean =>
    flow.provider === provider && flow.csrf !== undefined && flow.link?.userId === userId;

/** The name that Apple has the browser send. It is unsigned, so no other data is taken from it. */
function withName(account: ProviderAccount, user: string | undefined): ProviderAccount {
  const name = appleUser.safeParse(parsed(user)).data?.name;
  if (!name) return account;
  const { firstName = null, lastName = null } = name;
  const whole = [firstName, lastName].filter(Boolean).join(' ') || null;
  return { ...account, firstName, lastName, name: account.name ?? whole };
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

const sessionOf = ({ user, token }: LoginResult): { userId: string; sessionId: string } => ({
  userId: user.id,
  sessionId: decodeJwt(token.accessToken)['sid'] as string,
});

const newSecret = (): string => randomBytes(32).toString('base64url');

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
