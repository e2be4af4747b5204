import {
  type Context,
  defaultTextMapGetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Logger } from '@nestjs/common';
import { version } from '@orange-id/contract/version';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { type QueryMessage, queryChannel } from '../database/pooled.client.js';

/** Of one export, and of the last one while the portal stops. */
const exportTimeoutMs = 3_000;
const logEveryMs = 60_000;

/**
 * Sends a span of each request, of its database queries and of its outgoing requests to an OpenTelemetry collector, by
 * OTLP over HTTP. The module is loaded only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Spans hold route templates, host
 * names and statements with placeholders: no path, parameter, header or body. `OTEL_TRACES_SAMPLER`,
 * `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_EXPORTER_OTLP_HEADERS` act as OpenTelemetry defines them.
 */
export class Tracing {
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly current = new AsyncLocalStorage<Context>();
  private readonly contexts = new WeakMap<IncomingMessage, Context>();
  private readonly outgoing = new WeakMap<object, Span>();

  constructor(endpoint: string) {
    logFailures();
    this.provider = new NodeTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': 'orange-portal', 'service.version': version }))
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [
        new BatchSpanProcessor(
          new OTLPTraceExporter({
            url: `${endpoint}/v1/traces`,
            timeoutMillis: exportTimeoutMs,
          }),
          { exportTimeoutMillis: exportTimeoutMs },
        ),
      ],
    });
    this.tracer = this.provider.getTracer('orange-portal', version);
    queryChannel.subscribe(this.ofQuery);
    for (const [channel, listener] of this.ofFetch) subscribe(channel, listener);
  }

  /** Call before the instance's own hooks and routes are added. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      // The portal's server passes some requests on, which then run the hooks of both.
      if (this.contexts.has(request.raw)) return done();
      const parent = this.propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const span = this.tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent);
      const context = trace.setSpan(ROOT_CONTEXT, span);
      this.contexts.set(request.raw, context);
      reply.raw.once('close', () => endRequest(span, request, reply.raw.statusCode));
      this.current.run(context, done);
    });
    // The end of a body is an event of the connection, which knows no request.
    fastify.addHook('preHandler', (request, _reply, done) => {
      const context = this.contexts.get(request.raw);
      if (context === undefined) return done();
      this.current.run(context, done);
    });
  }

  /** Sends what has not been sent; waits for at most `exportTimeoutMs`. */
  async stop(): Promise<void> {
    queryChannel.unsubscribe(this.ofQuery);
    for (const [channel, listener] of this.ofFetch) unsubscribe(channel, listener);
    await this.provider.shutdown().catch(() => undefined);
  }

  private start(name: string, attributes: Record<string, string | number>): Span {
    return this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, this.current.getStore());
  }

  private readonly ofQuery = (message: unknown): void => {
    // Without a request, each query of the portal's own work would be a trace.
    if (this.current.getStore() === undefined) return;
    const { text, result } = message as QueryMessage;
    const [operation = 'query'] = /\w+/.exec(text) ?? [];
    const span = this.start(operation.toUpperCase(), {
      'db.system.name': 'postgresql',
      'db.query.text': text.slice(0, 2_000),
    });
    const fail = (error: unknown) =>
      span.setStatus({ code: SpanStatusCode.ERROR, message: String((error as { code?: unknown }).code) });
    void result.catch(fail).finally(() => span.end());
  };

  /** What Node's `fetch` publishes. */
  private readonly ofFetch = [
    [
      'undici:request:create',
      (message: unknown) => {
        const { request } = message as { request: { method: string; origin: string | URL } };
        if (this.current.getStore() === undefined) return;
        const { hostname } = new URL(request.origin);
        // The path may hold the key of a node.
        const attributes = { 'http.request.method': request.method, 'server.address': hostname };
        this.outgoing.set(request, this.start(request.method, attributes));
      },
    ],
    [
      'undici:request:headers',
      (message: unknown) => {
        const { request, response } = message as { request: object; response: { statusCode: number } };
        this.outgoing.get(request)?.setAttribute('http.response.status_code', response.statusCode);
      },
    ],
    ['undici:request:trailers', (message: unknown) => this.endFetch(message)],
    ['undici:request:error', (message: unknown) => this.endFetch(message)],
  ] as const;

  private endFetch(message: unknown): void {
    const { request, error } = message as { request: object; error?: Error };
    const span = this.outgoing.get(request);
    if (error) span?.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
    span?.end();
  }
}

function endRequest(span: Span, request: FastifyRequest, statusCode: number): void {
  const { config, url } = request.routeOptions;
  const route = request.is404 ? undefined : (config.endpoint ?? url);
  if (route !== undefined) {
    span.updateName(`${request.method} ${route}`);
    span.setAttribute('http.route', route);
  }
  span.setAttributes({
    'http.request.method': request.method,
    'http.response.status_code': statusCode,
    'orange.request_id': request.id,
  });
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** A collector that is down must not fill the log. */
function logFailures(): void {
  const logger = new Logger('Tracing');
  let loggedAt = -Infinity;
  const log = (line: string) => {
    if (performance.now() - loggedAt < logEveryMs) return;
    loggedAt = performance.now();
    logger.warn(`sending spans failed: ${line.slice(0, 300)}`);
  };
  const nothing = () => undefined;
  diag.setLogger(
    { error: log, warn: log, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
