import fastifyStatic from '@fastify/static';
import { defaultAvatar } from '@orange-id/contract/avatar.rule';
import { appPageAt } from '@orange-id/contract/app.routes';
import { configuratorPath, configuratorPreviewPath } from '@orange-id/contract/configurator.protocol';
import { docsMarkdown, gamesGuideMarkdown, llmsText } from '@orange-id/contract/docs.markdown';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { errorBody } from '@orange-id/contract/error.codes';
import { gamesGuidePath } from '@orange-id/contract/games.guide';
import { playgroundPaths } from '@orange-id/contract/playground.protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { encodedAtOnce, sendEncoded } from '../http/encoded.body.js';
import type { WebPages } from './web.pages.js';

const hashedLoader = /^widget\/orange-id\.[0-9a-f]{16}\.js$/;

/**
 * Serves the built browser application (`<root>/app`), the login widget (`<root>/widget`, under `/widget/`) and the game
 * SDK (`<root>/sdk`, under `/sdk/`), and earlier builds of the widget's loader under their hashed names. A known path returns its page; an unknown one the shell with status 404; unknown `/api/…` JSON. Assets are also stored
 * compressed. Pages of other portals may load a shared widget. The documentation is also served as Markdown, and listed
 * in `/llms.txt`.
 */
export async function webPlugin(
  instance: FastifyInstance,
  options: {
    root: string;
    pages: WebPages;
    isWidgetShared: boolean;
    /** Earlier builds of the loader, by their hashed names. */
    earlierLoader: (name: string) => Promise<Buffer | null>;
    config: PublicConfig;
  },
) {
  const { publicUrl, identity, links } = options.config;
  const app = filesBelow(join(options.root, 'app'));
  const widget = filesBelow(join(options.root, 'widget'));
  const sdk = filesBelow(join(options.root, 'sdk'));
  await instance.register(fastifyStatic, {
    root: options.root,
    serve: false,
    cacheControl: false,
    preCompressed: true,
  });

  for (const [path, type, text] of [
    ['/docs.md', 'text/markdown', docsMarkdown(publicUrl, identity.baseUrl)],
    [`${gamesGuidePath}.md`, 'text/markdown', gamesGuideMarkdown(publicUrl, links)],
    ['/llms.txt', 'text/plain', llmsText(publicUrl)],
  ] as const) {
    const body = encodedAtOnce(Buffer.from(text));
    instance.get(path, (request, reply) => {
      reply.header('cache-control', 'public, max-age=300').type(`${type}; charset=utf-8`);
      return sendEncoded(request, reply, body);
    });
  }

  instance.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    const path = decode(request.url);
    if (app.has(path) && !path.endsWith('.html')) {
      // Vite puts a content hash into asset names, so files never change.
      const caching = path.startsWith('assets/')
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=3600';
      // Other portals show it in place of a deleted photo.
      if (`/${path}` === defaultAvatar.path) reply.header('cross-origin-resource-policy', 'cross-origin');
      return reply.header('cache-control', caching).sendFile(`app/${path}`);
    }
    const frame = framePages.get(path);
    if (frame !== undefined) {
      return reply
        .header('content-security-policy', configuratorPolicy(publicUrl))
        .header('x-frame-options', 'SAMEORIGIN')
        .header('cache-control', 'no-cache')
        .sendFile(`widget/configurator/${frame}`);
    }
    if (path.startsWith('widget/') && widget.has(path.slice('widget/'.length))) {
      if (options.isWidgetShared) reply.header('cross-origin-resource-policy', 'cross-origin');
      // The build puts a hash of the loader's content into its second name.
      const caching = hashedLoader.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=300';
      return reply.header('cache-control', caching).sendFile(path);
    }
    const earlier = hashedLoader.test(path)
      ? await options.earlierLoader(path.slice('widget/'.length))
      : null;
    if (earlier) {
      return reply
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('application/javascript; charset=utf-8')
        .send(earlier);
    }
    if (path.startsWith('sdk/') && sdk.has(path.slice('sdk/'.length))) {
      return reply
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'public, max-age=300')
        .sendFile(path);
    }
    const sampleFile = sampleFiles.get(path);
    if (sampleFile !== undefined) {
      return reply
        .header('content-security-policy', samplePolicy(publicUrl))
        .header('x-frame-options', 'SAMEORIGIN')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'no-cache')
        .sendFile(`playground/${sampleFile}`);
    }
    const isPage = appPageAt(`/${path}`) !== undefined;
    if (
      !isPage &&
      /^(api|devportal|widget|sdk|assets|pictures|\.well-known|health|metrics)(\/|$)/.test(path)
    ) {
      const body = errorBody('route.notFound');
      return reply.status(body.statusCode).header('cache-control', 'no-store').send(body);
    }
    const page = options.pages.at(`/${path}`);
    if (!page) {
      return reply
        .status(503)
        .header('cache-control', 'no-store')
        .type('text/plain')
        .send('The browser application is not built. Run: npm run build');
    }
    reply.status(page.status).header('cache-control', 'no-store').type('text/html; charset=utf-8');
    return sendEncoded(request, reply, page.body);
  });
}

/** The pages that the portal shows in frames: the configurator, and its preview for the landing page. */
const framePages: ReadonlyMap<string, string> = new Map([
  [configuratorPath.slice(1, -1), 'index.html'],
  [configuratorPreviewPath.slice(1), 'preview.html'],
]);

/**
 * The policy of these pages. It names the portal, because a sandboxed page has no origin of its own, and
 * allows no request: the page around the frame saves. Logos may be anywhere.
 */
const configuratorPolicy = (portal: string): string =>
  [
    "default-src 'none'",
    `script-src ${portal}`,
    `style-src ${portal} 'unsafe-inline'`,
    `font-src ${portal}`,
    `img-src ${portal} https: data: blob:`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** The playground's sample, for a portal that has no origin for games. */
const sampleFiles: ReadonlyMap<string, string> = new Map([
  [playgroundPaths.ownSample.slice(1), 'sample/index.html'],
  ['sdk/sample/game.js', 'sample/game.js'],
  ['sdk/report.js', 'report.js'],
]);

/** The sandbox takes the portal's origin from the sample, wherever it is opened. */
const samplePolicy = (portal: string): string =>
  [
    "default-src 'none'",
    `script-src ${portal}`,
    "style-src 'unsafe-inline'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts allow-pointer-lock',
  ].join('; ');

function filesBelow(folder: string): Set<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

/** The path of a request without its leading slash; malformed escapes stay unchanged and match nothing. */
function decode(url: string): string {
  const path = (url.split('?')[0] as string).slice(1).replace(/\/$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
