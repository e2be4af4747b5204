import type { OpenAPIObject } from '@nestjs/swagger';
import { referencePaths } from '@orange-id/contract/reference.frame';
import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Environment } from '../config/environment.js';
import { encodedBody, sendEncoded, type EncodedBody } from './encoded.body.js';
import { inPortalLook, referencePage, referenceScript, referenceStyles } from './openapi.page.js';
import { securityHeaders } from './security.headers.js';

const swaggerUiFolder = (): string =>
  dirname(createRequire(import.meta.filename).resolve('swagger-ui-dist/package.json'));

const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

async function readAsset(file: string): Promise<Buffer> {
  const content = await readFile(file);
  return file.endsWith('.css') ? Buffer.from(inPortalLook(content.toString())) : content;
}

/** Serves the OpenAPI document and the Swagger UI page that shows it, which only the app's own pages may frame. */
export async function openApiPlugin(
  instance: FastifyInstance,
  options: { document: () => OpenAPIObject; environment: Environment },
) {
  let json: Promise<EncodedBody> | undefined;
  instance.get(referencePaths.document, async (request, reply) => {
    json ??= encodedBody(Buffer.from(JSON.stringify(options.document())));
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache');
    return sendEncoded(request, reply, await json);
  });

  const framed = { helmet: securityHeaders(options.environment, { framedBy: 'self' }) };
  for (const path of [referencePaths.page, `${referencePaths.page}/`]) {
    instance.get(path, framed, (_, reply) =>
      reply.type('text/html').header('cache-control', 'no-cache').send(referencePage),
    );
  }
  const ours = {
    'start.js': { type: 'text/javascript', content: referenceScript },
    'portal.css': { type: 'text/css', content: referenceStyles },
  };
  for (const [name, { type, content }] of Object.entries(ours)) {
    instance.get(`${referencePaths.page}/${name}`, (_, reply) =>
      reply.type(type).header('cache-control', 'no-cache').send(content),
    );
  }
  const folder = swaggerUiFolder();
  const bodies = new Map<string, Promise<EncodedBody>>();
  for (const [name, type] of Object.entries(assets)) {
    instance.get(`${referencePaths.page}/${name}`, async (request, reply) => {
      const body = bodies.get(name) ?? readAsset(join(folder, name)).then(encodedBody);
      bodies.set(name, body);
      // After a failed read the next request tries again.
      body.catch(() => bodies.delete(name));
      reply.type(type).header('cache-control', 'public, max-age=3600');
      return sendEncoded(request, reply, await body);
    });
  }
}
