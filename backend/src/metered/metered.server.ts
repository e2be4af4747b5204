import { Inject, Injectable, Logger } from '@nestjs/common';
import { meteredTemplateOf, pathOf } from '@orange-id/contract/metered.match';
import { apiKeyHeader, type MeteredRouteId } from '@orange-id/contract/metered.paths';
import { type MeteredRoute, meteredRoutes } from '@orange-id/contract/metered.routes';
import { serverTiming, serverTimingOf } from '@orange-id/contract/server.timing';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
} from 'fastify';
import { z } from 'zod';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { trustProxyOf } from '../config/trusted.proxies.js';
import { RequestMetrics, unmatched } from '../health/request.metrics.js';
import type { BodyBudget } from '../http/body.budget.js';
import { asPortalError } from '../http/error.filter.js';
import { readOnlyJsonBodies } from '../http/json.body.js';
import { PortalError } from '../http/portal.error.js';
import { requestIdHeader, requestIdOf } from '../http/request.id.js';
import type { AccessLog } from '../http/request.log.js';
import type { Tracing } from '../tracing/tracing.js';
import { UsageRecorder } from '../usage/usage.recorder.js';
import { CallChecks } from './call.checks.js';
import { callOf, type CallState, endpointOf } from './call.state.js';
import { KeyDirectory, type KnownKey } from './key.directory.js';
import { MeteredHandlers, type Sender } from './metered.handlers.js';
import { inputCheckOf } from './metered.input.js';
import { answerPreflight, isPreflightOf } from './metered.preflight.js';
import { bodyText, refuse, setRefusal } from './metered.refusals.js';

/** What the portal's own server shares with this one. */
export interface SharedParts {
  access: AccessLog | null;
  bodies: BodyBudget;
  tracing: Tracing | null;
}

const bodyMaxBytes = 65_536;

/**
 * The routes that take an API key, built from the contract's table, on a separate Fastify instance: the dozen hooks
 * that Nest and helmet add for every route, none of which these routes need, were a third of the cost of a call
 * (docs/decisions/0012). `CallChecks` admits a call, its handler runs, the call is recorded, and the response is sent.
 * Every call with a known key is metered whatever its response, also to an unknown path.
 */
@Injectable()
export class MeteredServer {
  private readonly logger = new Logger('Metered');

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly keys: KeyDirectory,
    private readonly checks: CallChecks,
    private readonly handlers: MeteredHandlers,
    private readonly recorder: UsageRecorder,
    private readonly requests: RequestMetrics,
  ) {}

  /** Listens on no port: `routing` of the instance serves the requests that the portal's server passes on. */
  async start({ access, bodies, tracing }: SharedParts): Promise<FastifyInstance> {
    const instance: FastifyInstance = Fastify({
      trustProxy: trustProxyOf(this.environment.TRUST_PROXY),
      // Requests that arrive during closing are answered; see drainBeforeClose.
      return503OnClosing: false,
      bodyLimit: bodyMaxBytes,
      // A path parameter of any length reaches its check, which names it.
      routerOptions: { maxParamLength: 20_000 },
      frameworkErrors: refuseUrl,
      logger: false,
      genReqId: requestIdOf,
    });
    tracing?.watch(instance);
    readOnlyJsonBodies(instance, bodies);
    instance.decorateRequest('metered', null);
    instance.decorateRequest('startedAt', 0);
    instance.addHook('onRequest', (request, reply, done) => this.admit(request, reply, done));
    instance.addHook('onSend', (request, reply, payload, done) => {
      const send = (body: unknown, userId?: string): void => {
        this.count(request, reply, access, userId);
        done(null, body);
      };
      this.record(request, reply, payload, send);
    });
    instance.setErrorHandler((error, request, reply) => this.refuseFailed(error, request, reply));
    for (const [id, route] of Object.entries(meteredRoutes) as [MeteredRouteId, MeteredRoute][]) {
      this.addRoute(instance, id, route);
    }
    await instance.ready();
    return instance;
  }

  private admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    reply.headers(commonHeaders).header(requestIdHeader, request.id);
    if (request.method === 'OPTIONS') return answerPreflight(request, reply);
    request.startedAt = performance.now();
    const at = Date.now();
    const refusal = this.checks.beforeLookUp(request, reply, at);
    if (refusal !== null) return refuse(reply, refusal);

    const admitKey = (key: KnownKey | null): void => {
      if (key === null) return refuse(reply, this.checks.unknownKey(request));
      const call = this.checks.stateOf(request, key, at);
      const refusalOfCall = this.checks.afterLookUp(call, request, reply);
      if (refusalOfCall !== null) return refuse(reply, refusalOfCall);
      request.metered = call;
      done();
    };

    const found = this.keys.find(request.headers[apiKeyHeader] as string);
    if (!(found instanceof Promise)) return admitKey(found);
    found.then(admitKey, (error: unknown) => done(error as Error));
  }

  /** Records the call and then sends its response, or why it could not be recorded. */
  private record(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    send: (body: unknown, userId?: string) => void,
  ): void {
    const state = request.metered;
    if (state === null) return send(payload);
    // Records the call exactly once, whatever happens below.
    request.metered = null;
    const call = callOf(request, reply.statusCode, state);
    this.recorder.record(call, (failure) => {
      if (failure === null) {
        reply.header(serverTiming, serverTimingOf(call.responseTime));
        return send(payload, call.userId);
      }
      const refusal = new PortalError(failure);
      setRefusal(reply, refusal);
      reply.removeHeader('content-length');
      send(bodyText(refusal, request), call.userId);
    });
  }

  /** Counts and logs a response. Before sending, because a hook for the end of a response costs more. */
  private count(
    request: FastifyRequest,
    reply: FastifyReply,
    access: AccessLog | null,
    userId?: string,
  ): void {
    const { endpoint = meteredTemplateOf(pathOf(request.raw.url)) } = request.routeOptions.config;
    const method = endpoint === undefined ? 'any' : request.method;
    const durationMs = performance.now() - request.startedAt;
    this.requests.count(method, endpoint ?? unmatched, reply.statusCode, durationMs);
    access?.({
      method: request.method,
      url: request.raw.url ?? '',
      status: reply.statusCode,
      durationMs: Math.round(durationMs * 10) / 10,
      requestId: request.id,
      userId,
    });
  }

  private refuseFailed(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = withLimit(asPortalError(error), request);
    if (known.code === 'server.failed') {
      this.logger.error({
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
  }

  private addRoute(instance: FastifyInstance, id: MeteredRouteId, route: MeteredRoute): void {
    const check = inputCheckOf(route);
    const handle = this.handlers[id].bind(this.handlers) as (
      key: KnownKey,
      input: unknown,
      sender: Sender,
    ) => unknown;
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
}

/** A URL that cannot be decoded never reaches a route or a hook. */
function refuseUrl(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders).header(requestIdHeader, request.id);
  if (isPreflightOf(request)) return answerPreflight(request, reply);
  const message = 'The URL can’t be decoded. Write a percent sign in it as %25';
  refuse(reply, new PortalError('request.invalid', { message }));
}

/** The parser's error for a body that is too large does not name the route's limit. */
const withLimit = (
  refusal: PortalError,
  { routeOptions: { bodyLimit = bodyMaxBytes } }: FastifyRequest,
): PortalError =>
  refusal.code === 'request.tooLarge'
    ? new PortalError(refusal.code, {
        message: `The request body is too large. Send at most ${bodyLimit / 1024} KB`,
      })
    : refusal;

/** A page of any origin may read the responses, refusals too; nothing here depends on cookies. */
const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Allow, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The path of a route as Fastify writes it, with `:name` for `{name}`. */
const fastifyPathOf = (template: string): string => template.replace(/\{(\w+)\}/g, ':$1');
