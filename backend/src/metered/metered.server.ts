import { Logger } from '@nestjs/common';
import { isWellFormedApiKey } from '@orange-id/contract/api-key.rule';
import { appPageAt } from '@orange-id/contract/app.routes';
import { ErrorCode, errorBody, errorTable } from '@orange-id/contract/error.codes';
import {
  isIllustrated,
  meteredMethodsOf,
  meteredTemplateOf,
  pathOf,
} from '@orange-id/contract/metered.match';
import { apiKeyHeader, type MeteredRouteId } from '@orange-id/contract/metered.paths';
import { type MeteredRoute, meteredRoutes } from '@orange-id/contract/metered.routes';
import { storedPath, unknownEndpoint } from '@orange-id/contract/usage.path.rule';
import type { Outcome } from '@orange-id/contract/usage.schema';
import { localOrigin, storedOrigin } from '@orange-id/contract/origin.rule';
import { placeToAllow } from '@orange-id/contract/other.origin.rule';
import { serverTiming, serverTimingOf } from '@orange-id/contract/server.timing';
import { isOriginAllowed } from '@orange-id/contract/whitelist.rule';
import Fastify, { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Environment } from '../config/environment.js';
import type { MetricsRegistry } from '../health/metrics.registry.js';
import { addressKey } from '../http/address.key.js';
import { limitReached } from '../http/attempt.limiter.js';
import type { BodyBudget } from '../http/body.budget.js';
import { asPortalError } from '../http/error.filter.js';
import { readOnlyJsonBodies } from '../http/json.body.js';
import { isOfIdentity } from '../http/origins.cors.js';
import { PortalError } from '../http/portal.error.js';
import { type RequestMetrics, unmatched } from '../health/request.metrics.js';
import type { AccessLog } from '../http/request.log.js';
import { requestIdHeader, requestIdOf } from '../http/request.id.js';
import { trustProxyOf } from '../config/trusted.proxies.js';
import { canBeHostedKey } from '../keys/hosted-key.rule.js';
import { type KeyDirectory, type KnownKey, revocationOf } from './key.directory.js';
import { type DailyQuota, secondsToNextDay } from '../usage/daily.quota.js';
import type { MeteredCall } from '../usage/metered.call.js';
import type { MeteredHandlers, Sender } from './metered.handlers.js';
import { inputCheckOf } from './metered.input.js';
import { misplacedKey } from './misplaced.key.js';
import { RateWindow } from './rate.window.js';
import type { Tracing } from '../tracing/tracing.js';
import type { UsageRecorder } from '../usage/usage.recorder.js';

export interface MeteredServices {
  keys: KeyDirectory;
  recorder: UsageRecorder;
  quota: DailyQuota;
  handlers: MeteredHandlers;
  metrics: MetricsRegistry;
  requests: RequestMetrics;
  access: AccessLog | null;
  bodies: BodyBudget;
  tracing: Tracing | null;
}

/** State that the hooks of one call share. */
interface CallState {
  key: KnownKey;
  startedAt: number;
  at: number;
  origin: string | null;
  outcome: Outcome | null;
  errorCode: ErrorCode | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    metered: CallState | null;
    /** As `performance.now()`. */
    startedAt: number;
  }
  interface FastifyContextConfig {
    endpoint?: string;
  }
}

const json = 'application/json; charset=utf-8';

const bodyMaxBytes = 65_536;

/** The parser's error for a body that is too large does not name the route's limit. */
const tellLimit = (
  refusal: PortalError,
  { routeOptions: { bodyLimit = bodyMaxBytes } }: FastifyRequest,
): PortalError =>
  refusal.code === 'request.tooLarge'
    ? new PortalError(refusal.code, {
        message: `The request body is too large. Send at most ${bodyLimit / 1024} KB`,
      })
    : refusal;

/** The methods that a path template answers, including `OPTIONS` for a browser's preflight. */
const answeredMethodsOf = (template: string): string[] => [...meteredMethodsOf(template), 'OPTIONS'];

/**
 * Whether a request is for one of the routes below, or for one that the documentation illustrates; all others go to
 * Nest.
 */
export function isMetered({ method = '', url }: IncomingMessage): boolean {
  const path = pathOf(url);
  const template = meteredTemplateOf(path);
  if (template === undefined) return isIllustrated(method, path);
  return answeredMethodsOf(template).includes(method);
}

/**
 * Routes requests for an unknown path or method of the API to the metered server, which responds so that a page can
 * read why, and records those with an API key. With a key, or a preflight that asks for one, unknown paths elsewhere are
 * included, except those with a dot outside `/api/`, which may be files of a page.
 */
export function meterUnknownAddresses(nest: FastifyInstance, metered: FastifyInstance): void {
  nest.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.raw.url);
    const isPreflight = isPreflightOf(request);
    if (request.method === 'OPTIONS' && (!isPreflight || isOfIdentity(path))) return done();
    const hasKey = isPreflight
      ? /\bx-api-key\b/i.test(requestedHeadersOf(request))
      : request.headers[apiKeyHeader] !== undefined;
    if (!hasKey && !isOfApi(path)) return done();
    const isUnknown =
      request.is404 ||
      (request.routeOptions.url === '/*' &&
        (path.startsWith('/api/') || !path.includes('.')) &&
        appPageAt(path) === undefined);
    if (!isUnknown) return done();
    reply.hijack();
    request.isPassedOn = true;
    metered.routing(request.raw, reply.raw);
  });
}

/** Whether a path is of the API that takes keys, known or not. */
export const isOfApi = (path: string): boolean => path.startsWith('/api/v1/') && !isOfIdentity(path);

/**
 * The routes that take an API key, built from the contract's table, on a separate Fastify instance: the dozen hooks
 * that Nest and helmet add for every route, none of which these routes need, were a third of the cost of a call
 * (docs/decisions/0012). The checks, in order: limit per address, checksum, whether the call can be recorded, look-up
 * by hash, revocation, limit per key, origin rule, daily quota; then the handler runs, the call is recorded and the
 * response is sent. Every call with a known key is metered whatever its response, also to an unknown path; refused
 * calls, and those with a revoked key, may be aggregated. The instance listens on no port: `routing` serves the
 * requests that the portal's server passes on.
 */
export async function meteredServer(
  environment: Environment,
  { keys, recorder, quota, handlers, metrics, requests, access, bodies, tracing }: MeteredServices,
): Promise<FastifyInstance> {
  const instance: FastifyInstance = Fastify({
    trustProxy: trustProxyOf(environment.TRUST_PROXY),
    // Requests that arrive during closing are answered; see drainBeforeClose.
    return503OnClosing: false,
    bodyLimit: bodyMaxBytes,
    // A path parameter of any length reaches its check, which names it.
    routerOptions: { maxParamLength: 20_000 },
    // A URL that cannot be decoded never reaches a route.
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(commonHeaders).header(requestIdHeader, request.id);
      if (isPreflightOf(request)) return answerPreflight(request, reply);
      const refusal = new PortalError('request.invalid', {
        message: 'The URL can’t be decoded. Write a percent sign in it as %25',
      });
      setRefusal(reply, refusal);
      void reply.send(bodyText(refusal, request));
    },
    logger: false,
    genReqId: requestIdOf,
  });
  tracing?.watch(instance);
  readOnlyJsonBodies(instance, bodies);
  const mayBeKey = environment.PROJECT_SERVICE_URL ? canBeHostedKey : isWellFormedApiKey;
  const isEmbedded = environment.PROJECT_SERVICE_URL === undefined;
  const logger = new Logger('Metered');
  const perAddress = new RateWindow(environment.RATE_LIMIT_PER_ADDRESS);
  const mostPerKey = environment.RATE_LIMIT_PER_KEY;
  const perKey = new RateWindow(mostPerKey);
  const ownOrigins = [new URL(environment.PUBLIC_URL).origin];
  const counts = {
    unknown: metrics.counter('metered_unknown_key_total', 'Calls without a key or with an unknown key'),
    revoked: metrics.counter('metered_revoked_key_total', 'Calls with a replaced, deleted or expired key'),
    addressLimited: metrics.counter('metered_address_limited_total', 'Calls over the per-address rate limit'),
    keyLimited: metrics.counter('metered_key_limited_total', 'Calls over the per-key rate limit'),
    overQuota: metrics.counter('metered_over_quota_total', 'Calls over the daily quota'),
    unavailable: metrics.counter(
      'metered_unavailable_total',
      'Calls rejected because they could not be recorded',
    ),
  };

  instance.decorateRequest('metered', null);
  instance.decorateRequest('startedAt', 0);

  instance.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders).header(requestIdHeader, request.id);
    if (request.method === 'OPTIONS') return answerPreflight(request, reply);
    const startedAt = performance.now();
    request.startedAt = startedAt;
    const at = Date.now();
    if (perAddress.isOver(addressKey(request.ip), at)) {
      counts.addressLimited.inc();
      return refuse(reply, overLimit('The limit of a network address', environment.RATE_LIMIT_PER_ADDRESS));
    }
    const text = request.headers[apiKeyHeader];
    if (typeof text !== 'string' || !mayBeKey(text)) {
      counts.unknown.inc();
      if (!text && request.is404) return refuse(reply, unknownAddress(request, reply));
      return refuse(reply, keyRefusal(request));
    }
    if (!recorder.isAccepting) {
      counts.unavailable.inc();
      return refuse(reply, 'usage.notRecorded');
    }

    const admit = (key: KnownKey | null): void => {
      if (key === null) {
        counts.unknown.inc();
        return refuse(reply, keyRefusal(request));
      }
      const verdict = originOf(request, key);
      const state: CallState = {
        key,
        startedAt,
        at,
        origin: verdict.origin,
        outcome: null,
        errorCode: null,
      };
      const revocation = revocationOf(key, at);
      if (revocation !== null) {
        counts.revoked.inc();
        const revoked = { ...state, outcome: 'revoked' as const, errorCode: revocation };
        const { isFirst, origin } = recorder.gatherByOrigin(refusedCallOf(request, 401, revoked));
        if (isFirst) request.metered = { ...revoked, origin };
        return refuse(reply, revocation);
      }
      const most = Math.min(key.rateLimit ?? mostPerKey, mostPerKey);
      const left = most - perKey.count(key.id, at);
      // Anyone may call with a project's key: the calls left would tell them how much others call.
      if (left < 0 || (key.rateLimit !== null && key.project === null))
        showLimit(reply, most, Math.max(left, 0));
      if (left < 0) {
        counts.keyLimited.inc();
        recorder.gather(refusedCallOf(request, 429, { ...state, outcome: 'limited' }));
        return refuse(reply, overLimit('This key’s limit', most));
      }
      if (verdict.isRefused) {
        const blocked = recorder.gatherByOrigin(
          refusedCallOf(request, 403, { ...state, outcome: 'blocked' }),
        );
        if (blocked.isFirst) request.metered = { ...state, outcome: 'blocked', origin: blocked.origin };
        return refuse(reply, originRefusal(state.origin, isEmbedded));
      }
      if (quota.isSpent(key.userId, at, key.dailyQuota)) {
        counts.overQuota.inc();
        recorder.gather(refusedCallOf(request, 429, { ...state, outcome: 'overQuota' }));
        return refuse(reply, overQuota(quota.of(key.dailyQuota), secondsToNextDay(at)));
      }
      request.metered = state;
      if (!request.is404) return done();
      // Responds here, so that no part of the body is read.
      state.errorCode = unknownAddress(request, reply);
      refuse(reply, state.errorCode);
    };

    const found = keys.find(text);
    if (!(found instanceof Promise)) return admit(found);
    found.then(admit, (error: unknown) => done(error as Error));
  });

  /** Before sending, because a hook for the end of a response costs more. */
  const count = (request: FastifyRequest, reply: FastifyReply, userId?: string): void => {
    const { endpoint = meteredTemplateOf(pathOf(request.raw.url)) } = request.routeOptions.config;
    const method = endpoint === undefined ? 'any' : request.method;
    const durationMs = performance.now() - request.startedAt;
    requests.count(method, endpoint ?? unmatched, reply.statusCode, durationMs);
    access?.({
      method: request.method,
      url: request.raw.url ?? '',
      status: reply.statusCode,
      durationMs: Math.round(durationMs * 10) / 10,
      requestId: request.id,
      userId,
    });
  };

  instance.addHook('onSend', (request, reply, payload, done) => {
    const state = request.metered;
    if (state === null) {
      count(request, reply);
      return done(null, payload);
    }
    // Records the call exactly once, whatever happens below.
    request.metered = null;
    const call = callOf(request, reply.statusCode, state);
    recorder.record(call, (failure) => {
      if (failure === null) {
        reply.header(serverTiming, serverTimingOf(call.responseTime));
        count(request, reply, call.userId);
        return done(null, payload);
      }
      const refusal = new PortalError(failure);
      setRefusal(reply, refusal);
      reply.removeHeader('content-length');
      count(request, reply, call.userId);
      done(null, bodyText(refusal, request));
    });
  });

  instance.setErrorHandler((error, request, reply) => {
    const known = tellLimit(asPortalError(error), request);
    if (known.code === 'server.failed') {
      logger.error({
        message: `${request.method} ${endpointOf(request)}: ${String(error)}`,
        stack: (error as Error).stack,
        requestId: request.id,
        userId: request.metered?.key.userId,
        status: known.statusCode,
        durationMs: Math.round(performance.now() - request.startedAt),
      });
    }
    if (request.metered) request.metered.errorCode = known.code;
    setRefusal(reply, known);
    return reply.send(bodyText(known, request));
  });

  for (const [id, route] of Object.entries(meteredRoutes) as [MeteredRouteId, MeteredRoute][]) {
    const check = inputCheckOf(route);
    const handle = handlers[id].bind(handlers) as (key: KnownKey, input: unknown, sender: Sender) => unknown;
    instance.route({
      method: route.method,
      url: fastifyPathOf(route.path),
      exposeHeadRoute: false,
      config: { endpoint: route.path },
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      schema: { response: { 200: z.toJSONSchema(route.response, { target: 'draft-7' }) } },
      handler: (request, reply) => {
        const answer = handle((request.metered as CallState).key, check(request), reply);
        // Never returns `reply`: Fastify would watch each response stream for its end.
        if (answer instanceof Promise) return answer;
        reply.send(answer);
        return undefined;
      },
    });
  }
  await instance.ready();
  return instance;

  /** Why a request has no known key, with the place of one that was sent elsewhere. */
  function keyRefusal({ headers, raw }: FastifyRequest): PortalError {
    const code = headers[apiKeyHeader] ? 'key.invalid' : 'key.missing';
    const place = misplacedKey(raw, mayBeKey);
    if (place !== null) {
      return new PortalError(code, {
        message: `${errorTable[code].message}: the key was found in ${place}. Send the key alone in the X-API-Key header`,
      });
    }
    const message =
      code === 'key.missing'
        ? 'is missing. Send your API key in this header'
        : 'matches no key. Copy the whole key from My Projects or API Keys';
    return new PortalError(code, { details: [{ path: 'X-API-Key', message }] });
  }

  function originOf(
    request: FastifyRequest,
    { project }: KnownKey,
  ): { origin: string | null; isRefused: boolean } {
    const header = request.headers.origin;
    if (header === undefined) return { origin: null, isRefused: false };
    const verdict = isOriginAllowed(header, project?.urls ?? [], ownOrigins, project?.origins);
    if (verdict === 'local') return { origin: localOrigin, isRefused: false };
    return { origin: storedOrigin(header), isRefused: verdict === 'refused' && project !== null };
  }
}

/** Why no route answers a request; names the methods of a known path in `Allow`. */
function unknownAddress({ method, raw }: FastifyRequest, reply: FastifyReply): ErrorCode {
  const path = pathOf(raw.url);
  if (isIllustrated(method, path)) return 'route.illustration';
  const template = meteredTemplateOf(path);
  if (template === undefined) return 'route.notFound';
  reply.header('allow', answeredMethodsOf(template).join(', '));
  return 'route.methodNotAllowed';
}

const isPreflightOf = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const requestedHeadersOf = ({ headers }: FastifyRequest): string =>
  headers['access-control-request-headers'] ?? '';

/**
 * Lets a page send any call, without credentials, so that it can read why one fails. All headers that it asks for are
 * allowed, because tracing libraries add some to every call of a page; routes read those they document.
 */
function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const requested = requestedHeadersOf(request);
  const isList = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/.test(requested);
  void reply
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': isList ? requested : `${apiKeyHeader}, content-type`,
      'access-control-max-age': '86400',
    })
    .code(204)
    .send();
}

/** A page of any origin may read the responses, refusals too; nothing here depends on cookies. */
const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * The key's limit per second on this instance, the calls left and the seconds until it resets, as
 * draft-ietf-httpapi-ratelimit-headers-10 defines the fields.
 */
function showLimit(reply: FastifyReply, most: number, left: number): void {
  reply.header('ratelimit-policy', `"key";q=${most};w=1`).header('ratelimit', `"key";r=${left};t=1`);
}

/** A refusal with the table's message, whose body is made once, or with one of its own. */
function refuse(reply: FastifyReply, refusal: ErrorCode | PortalError): void {
  if (refusal instanceof PortalError) {
    setRefusal(reply, refusal);
    reply.send(bodyText(refusal, reply.request));
  } else {
    setRefusal(reply, new PortalError(refusal));
    const body = bodies.get(refusal) ?? keepBody(refusal);
    reply.send(withRequestId(body, reply.request));
  }
}

function overLimit(subject: string, perSecond: number): PortalError {
  const calls = perSecond === 1 ? '1 call' : `${perSecond} calls`;
  return new PortalError('request.rateLimited', {
    message: limitReached(`${subject} is ${calls} a second`)(1),
    retryAfterSeconds: 1,
  });
}

const overQuota = (perDay: number | null, seconds: number): PortalError =>
  new PortalError('usage.quotaReached', {
    message: `The daily quota of this key’s owner, ${perDay} calls, is used up. It resets at 00:00 UTC. Retry in ${seconds} s.`,
    retryAfterSeconds: seconds,
  });

/** Names what the project's owner can do about a refused origin. Only the embedded project service has other origins. */
function originRefusal(origin: string | null, isEmbedded: boolean): PortalError {
  const place = placeToAllow(origin ?? '');
  const wayOut =
    place === 'urls'
      ? 'Add the origin to its allowed URLs'
      : place === 'others' && isEmbedded
        ? 'Add it in My Projects under Other origins'
        : 'This origin can’t be allowed: call from a public web page on one of its allowed URLs, or from a server';
  return new PortalError('key.originRefused', {
    message: `This project doesn’t allow calls from ${origin}. ${wayOut}`,
  });
}

const bodyText = (refusal: PortalError, request: FastifyRequest): string =>
  withRequestId(JSON.stringify(refusal.body), request);

/** The id is short and plain, so it needs no escaping. */
const withRequestId = (body: string, { id }: FastifyRequest): string =>
  `${body.slice(0, -1)},"requestId":"${id}"}`;

const bodies = new Map<ErrorCode, string>();

function keepBody(code: ErrorCode): string {
  const body = JSON.stringify(errorBody(code));
  bodies.set(code, body);
  return body;
}

function setRefusal(reply: FastifyReply, refusal: PortalError): void {
  reply.code(refusal.statusCode).header('content-type', json);
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
}

/** The path of a route as Fastify writes it, with `:name` for `{name}`. */
const fastifyPathOf = (template: string): string => template.replace(/\{(\w+)\}/g, ':$1');

/** The template of the route; for a known path also if the method is wrong. */
function endpointOf(request: FastifyRequest): string {
  const { endpoint } = request.routeOptions.config;
  if (endpoint !== undefined) return endpoint;
  return meteredTemplateOf(pathOf(request.raw.url)) ?? unknownEndpoint;
}

/** A call that may be aggregated: one row stands for many, so it does not contain the requested path. */
const refusedCallOf = (request: FastifyRequest, statusCode: number, state: CallState): MeteredCall => ({
  ...callOf(request, statusCode, state),
  path: null,
});

function callOf(request: FastifyRequest, statusCode: number, state: CallState): MeteredCall {
  const endpoint = endpointOf(request);
  return {
    userId: state.key.userId,
    keyId: state.key.id,
    projectId: state.key.project?.code ?? null,
    endpoint,
    method: request.method,
    statusCode,
    // Rounded as the table stores it, so that memory and table use the same bucket.
    responseTime: Math.fround(performance.now() - state.startedAt),
    at: state.at,
    origin: state.origin,
    outcome: state.outcome ?? (statusCode < 400 ? 'ok' : 'error'),
    errorCode: state.errorCode,
    path: endpoint === unknownEndpoint ? storedPath(request.raw.url ?? '') : null,
    calls: 1,
  };
}
