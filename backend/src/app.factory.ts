import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { limits } from '@orange-id/contract/limits';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, RequestListener } from 'node:http';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { publicConfigOf } from './config/config.controller.js';
import { otherPortalsOf } from './config/environment.js';
import type { Environment } from './config/environment.js';
import { readLoader } from './config/loader.file.js';
import { servesBuiltInOpenid } from './config/social.providers.js';
import { migrate, requireMigrated, withStartLock } from './database/migrate.js';
import { WAITS } from './config/waits.js';
import type { Waits } from './config/waits.js';
import type { DatabaseAddress } from './config/database.address.js';
import { builtInPath } from './dev-openid/built-in.clients.js';
import { devOpenidPlugin } from './dev-openid/dev.openid.plugin.js';
import { BodyBudget } from './http/body.budget.js';
import { forumPages } from './forum/forum.pages.js';
import { ForumService } from './forum/forum.service.js';
import { refuseClient } from './http/client.errors.js';
import { drainBeforeClose } from './http/drain.hook.js';
import { DrainState } from './http/drain.state.js';
import { ErrorFilter } from './http/error.filter.js';
import { readMultipartForms } from './http/file.body.js';
import { readJsonBodies } from './http/json.body.js';
import { openApiOf } from './http/openapi.js';
import { openApiPlugin } from './http/openapi.plugin.js';
import { createBoundedServer, serialized } from './http/pipelined.requests.js';
import { boundConnections, boundRequestsPerAddress } from './http/places.per.address.js';
import { PortalError } from './http/portal.error.js';
import { RequestMetrics } from './health/request.metrics.js';
import { allowOrigins } from './http/origins.cors.js';
import { portalLogger } from './http/portal.logger.js';
import { requestIdHeader, requestIdOf } from './http/request.id.js';
import { accessLog, logAccess, nameErrors } from './http/request.log.js';
import { RequestPipe } from './http/request.pipe.js';
import { sendSecurityHeaders } from './http/security.headers.js';
import { cutSlowReaders } from './http/slow.readers.js';
import { serverTimeouts } from './http/server.timeouts.js';
import type { ServerTimeouts } from './http/server.timeouts.js';
import { plainForwardedFor, trustProxyOf } from './config/trusted.proxies.js';
import { sealedApiKeys } from './keys/api-key.factory.js';
import { sealedMails } from './mail/mail.outbox.js';
import { SocketAdapter } from './realtime/socket.adapter.js';
import { loadMasterSecrets } from './secrets/master.secret.js';
import { checkSecretCanary } from './secrets/secret.canary.js';
import { adoptCurrentSecret } from './secrets/secret.rotation.js';
import { SecretsService } from './secrets/secrets.service.js';
import { isMetered, isOfApi, meterUnknownPaths } from './metered/metered.routing.js';
import { MeteredServer } from './metered/metered.server.js';
import type { Tracing } from './tracing/tracing.js';
import { ensureUsagePartitions } from './usage/usage.partitions.js';
import { examplePlugin } from './web/example.plugin.js';
import { pageAddress, webPages } from './web/web.pages.js';
import { isForPlayground, playgroundServer } from './web/playground.server.js';
import { KeptLoadersRepository } from './web/kept.loaders.repository.js';
import { webPlugin } from './web/web.plugin.js';

/** `webRoot` is the folder with the built `app` and `widget`; `timeouts` replace the default ones. */
export interface AppOptions {
  environment: Environment;
  address: DatabaseAddress;
  webRoot: string;
  timeouts?: Partial<ServerTimeouts>;
}

/** Migrates the database and creates the application, ready to listen. Tests and `main` use the same function. */
export async function createApp({
  environment,
  address,
  webRoot,
  timeouts,
}: AppOptions): Promise<NestFastifyApplication> {
  const logger = portalLogger(environment);
  Logger.overrideLogger(logger);
  await withStartLock(address, async () => {
    await (environment.MIGRATE === 'on' ? migrate : requireMigrated)(address, environment);
    await ensureUsagePartitions(address);
    await adoptCurrentSecret(address, new SecretsService(loadMasterSecrets(environment)), [
      sealedApiKeys,
      sealedMails,
    ]);
  });

  const isGame = isForPlayground(environment.PLAYGROUND_ORIGIN);
  const playground = await playgroundServer(webRoot, environment.PUBLIC_URL);
  const { timeout, ...ofRequests } = { ...serverTimeouts, ...timeouts };
  const adapter = new FastifyAdapter({
    // Metered calls bypass Nest. `metered` and `drain` are assigned below, before the server listens. The time-outs are set here,
    // because Fastify sets its own only on a server that it creates itself.
    serverFactory: (nest: RequestListener) => {
      const others = serialized(nest);
      const games = serialized((request, response) => playground.routing(request, response));
      const server = createBoundedServer(ofRequests, (request, response) => {
        drain.watch(response);
        plainForwardedFor(request);
        if (!isGame(request) && isMetered(request)) return metered.routing(request, response);
        response.setHeader(requestIdHeader, requestIdOf(request));
        if (isGame(request)) games(request, response);
        else others(request, response);
      });
      // Node keeps 2,000, which a cheap request fills; browsers and proxies send a few dozen.
      server.maxHeadersCount = limits.requestHeadersMax;
      boundConnections(server, environment.TRUST_PROXY);
      return server.setTimeout(timeout);
    },
    clientErrorHandler: refuseClient,
    bodyLimit: 262_144,
    trustProxy: trustProxyOf(environment.TRUST_PROXY),
    forceCloseConnections: 'idle',
    // Requests that arrive during closing are answered; see drainBeforeClose.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    logger: false,
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '/', headers }: IncomingMessage) => pageAddress(url, headers.accept),
    // A URL that cannot be decoded never reaches a route or the error filter.
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      if (isOfApi(request.raw.url ?? '')) {
        reply.hijack();
        return metered.routing(request.raw, reply.raw);
      }
      const { body } = new PortalError('request.invalid', {
        message: 'The URL can’t be decoded. Write a percent sign in it as %25',
      });
      void reply
        .status(body.statusCode)
        .header('cache-control', 'no-store')
        .send({ ...body, requestId: request.id });
    },
  });
  const loader = readLoader(webRoot);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(environment, address, loader),
    adapter,
    {
      abortOnError: false,
      bodyParser: false,
      logger,
    },
  );
  await checkSecretCanary(app.get(DataSource), app.get(SecretsService));

  app.useGlobalFilters(new ErrorFilter());
  app.useWebSocketAdapter(new SocketAdapter(app, environment));
  app.useGlobalPipes(new RequestPipe());
  const fastify = adapter.getInstance();
  const tracing = await tracingOf(environment);
  tracing?.watch(fastify);
  fastify.addHook('onClose', () => tracing?.stop());
  const drain = app.get<DrainState>(DrainState);
  const bodies = new BodyBudget();
  readJsonBodies(fastify, bodies);
  await readMultipartForms(fastify);
  app.get<RequestMetrics>(RequestMetrics).watch(fastify);
  nameErrors(fastify);
  boundRequestsPerAddress(fastify);
  const access = environment.ACCESS_LOG === 'on' ? accessLog() : null;
  if (access !== null) logAccess(fastify, access);
  const metered = await app.get<MeteredServer>(MeteredServer).start({ access, bodies, tracing });
  meterUnknownPaths(fastify, metered);
  drainBeforeClose(fastify, metered, drain);
  const waits = app.get<Waits>(WAITS);
  cutSlowReaders(fastify.server, {
    graceMs: () => waits.slowReaderMs,
    waitingBytesMax: limits.unreadBytesMax,
    everyMs: ofRequests.connectionsCheckingInterval,
  });
  const config = publicConfigOf(environment, loader);
  const pages = webPages(join(webRoot, 'app'), config);
  await sendSecurityHeaders(fastify, environment, pages.scriptHashes);
  const otherPortals = otherPortalsOf(environment);
  const servesTenants = environment.IDENTITY_URL === undefined;
  allowOrigins(fastify, { portals: otherPortals, servesTenants });
  await fastify.register(openApiPlugin, { document: () => openApiOf(app), environment });
  if (servesBuiltInOpenid(environment)) {
    await fastify.register(devOpenidPlugin, { prefix: builtInPath, environment });
  }
  if (servesTenants) await fastify.register(examplePlugin, { publicUrl: environment.PUBLIC_URL });
  const forum = app.get<ForumService>(ForumService);
  await fastify.register(forumPages, { forum, pages, publicUrl: environment.PUBLIC_URL });
  const loaders = new KeptLoadersRepository(app.get(DataSource));
  if (servesTenants && loader) await keepLoader(loaders, join(webRoot, loader.path));
  await fastify.register(webPlugin, {
    root: webRoot,
    pages,
    isWidgetShared: servesTenants,
    earlierLoader: (name) => (servesTenants ? loaders.find(name) : Promise.resolve(null)),
    config,
  });
  return app;
}

/** Loaded only where it is configured. */
async function tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Environment): Promise<Tracing | null> {
  if (endpoint === undefined) return null;
  const { Tracing } = await import('./tracing/tracing.js');
  return new Tracing(endpoint);
}

/** A portal whose database refuses writes starts without it. */
async function keepLoader(loaders: KeptLoadersRepository, file: string): Promise<void> {
  try {
    await loaders.keep(basename(file), await readFile(file));
  } catch (error) {
    new Logger('Loader').warn(
      `keeping this build's ${basename(file)} for later versions failed: ${String(error)}`,
    );
  }
}

/** The repository's `frontend/dist`, relative to the built backend. */
export const defaultWebRoot = (): string => join(import.meta.dirname, '..', '..', 'frontend', 'dist');
