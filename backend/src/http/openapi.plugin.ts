import fastifyStatic from '@fastify/static';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Environment } from '../config/environment.js';
import { securityHeaders } from './security.headers.js';

/** Nest's swagger package brings the browser part; where npm put it is npm's business. */
function swaggerUiFolder(): string {
  const ours = createRequire(import.meta.filename);
  return dirname(createRequire(ours.resolve('@nestjs/swagger')).resolve('swagger-ui-dist/package.json'));
}

const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference · Orange ID</title>
    <link rel="icon" href="/api/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

// A file of its own, because the content security policy allows no inline script; no outside validator is asked.
const start = `window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
});
`;

/** Serves the OpenAPI document at `/api/openapi.json` and Swagger UI at `/api/docs`, which the app's own pages may frame. */
export async function openApiPlugin(
  instance: FastifyInstance,
  options: { document: () => OpenAPIObject; environment: Environment },
) {
  let json: string | undefined;
  instance.get('/api/openapi.json', (_, reply) => {
    json ??= JSON.stringify(options.document());
    return reply.type('application/json').header('cache-control', 'no-cache').send(json);
  });

  await instance.register(fastifyStatic, { root: swaggerUiFolder(), serve: false, cacheControl: false });
  const framed = { helmet: securityHeaders(options.environment, { framedBy: 'self' }) };
  for (const path of ['/api/docs', '/api/docs/']) {
    instance.get(path, framed, (_, reply) =>
      reply.type('text/html').header('cache-control', 'no-cache').send(page),
    );
  }
  instance.get('/api/docs/start.js', (_, reply) =>
    reply.type('text/javascript').header('cache-control', 'no-cache').send(start),
  );
  for (const asset of assets) {
    instance.get(`/api/docs/${asset}`, (_, reply) =>
      reply.header('cache-control', 'public, max-age=3600').sendFile(asset),
    );
  }
}
