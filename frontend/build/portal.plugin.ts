import { appRoutes, type AppPage } from '@orange-id/contract/app.routes';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { waitingScriptsId } from '../src/app/waiting.scripts.ts';
import type { PrerenderedPage } from '../src/prerender.tsx';
import { scopedClass } from './scoped.class.mjs';
import { compressFiles } from './compress.files.ts';
import { themeStyles } from './theme.styles.ts';

const frontend = join(import.meta.dirname, '..');
/** Shared by the builds of the application and of the prerendered pages, whose classes must match. */
const css = { modules: { generateScopedName: scopedClass } };
const themeId = 'virtual:theme.css';
/** The fonts of server-rendered pages, under names that the server uses. */
const serverFonts = {
  'fonts/inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'fonts/jetbrains-mono.woff2':
    '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
};
const { resolve: resolvePackage } = createRequire(import.meta.url);

/** Bundles `src/boot.ts` into one script without imports, which a page can run before it renders anything. */
async function bootScript(): Promise<string> {
  const result = await build({
    configFile: false,
    root: frontend,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(frontend, 'src/boot.ts'), formats: ['iife'], name: 'boot' },
    },
  });
  const [bundle] = [result].flat() as { output: { code: string }[] }[];
  const code = bundle?.output[0]?.code;
  if (!code || code.includes('</script')) throw new Error('src/boot.ts gave nothing to put into a page');
  return code.trim();
}

/** A placeholder for a value of the configuration, which only the server knows. */
const placeholder = (path: string) => `{{${path}}}`;

/** For URLs that a page parses while it renders, where a placeholder would be invalid; `withOrigin` replaces it. */
const unknownUrl = 'https://unknown.invalid';

/** The prerendered pages by path: the file that the server reads, and the module that renders the page. */
const prerendered = {
  '/': { file: 'landing.html', source: 'LandingPage' },
  '/docs': { file: 'docs.html', source: 'DocsPage' },
  '/games-sdk-integration-guide': { file: 'games.html', source: 'GamesGuidePage' },
} as const;

type PrerenderedPath = keyof typeof prerendered;
const prerenderedPaths = Object.keys(prerendered) as PrerenderedPath[];

const placeholderConfig: PublicConfig = {
  publicUrl: unknownUrl,
  version: placeholder('version'),
  identity: {
    baseUrl: unknownUrl,
    callbackUrl: placeholder('identity.callbackUrl'),
    subscriptionKey: placeholder('identity.subscriptionKey'),
    tenantId: placeholder('identity.tenantId'),
    walletConnectId: null,
    beta: false,
  },
  features: { embeddedProjects: true, google: true, apple: true, mailbox: false },
  playgroundOrigin: null,
  rateLimitPerKey: 1000,
  links: {
    apiReference: '/api/docs',
    configurator: null,
    docs: '/docs',
    feedback: placeholder('links.feedback'),
    learnMore: placeholder('links.learnMore'),
    templateProject: null,
    reactGuide: null,
    scriptExample: null,
    gameForm: placeholder('links.gameForm'),
    gameListing: placeholder('links.gameListing'),
    gameRepository: placeholder('links.gameRepository'),
    telegram: placeholder('links.telegram'),
    x: placeholder('links.x'),
    discord: placeholder('links.discord'),
    news: placeholder('links.news'),
  },
};

/** Renders the pages as a signed-out visitor sees them, with the same code as in the browser. */
async function prerenderPages(): Promise<Record<PrerenderedPath, PrerenderedPage>> {
  const out = mkdtempSync(join(frontend, 'node_modules', '.prerender-'));
  try {
    await build({
      configFile: false,
      root: frontend,
      logLevel: 'error',
      publicDir: false,
      define: { __PORTAL_INSPECT__: 'false' },
      css,
      // The first render for a visitor needs no lazily loaded modules other than those of the prerendered pages.
      plugins: [
        {
          name: 'prerendered-only',
          resolveDynamicImport: (id) =>
            typeof id === 'string' &&
            !Object.values(prerendered).some(({ source }) => id.endsWith(`/${source}`))
              ? { id, external: true }
              : null,
        },
      ],
      ssr: { noExternal: true },
      build: { ssr: join(frontend, 'src/prerender.tsx'), outDir: out, emptyOutDir: true },
    });
    const [file] = readdirSync(out).filter((name) => name.startsWith('prerender.'));
    const worker = join(frontend, 'build/prerender.worker.mjs');
    const arguments_ = [
      ...[worker, join(out, String(file)), JSON.stringify(placeholderConfig)],
      ...prerenderedPaths,
    ];
    const output = execFileSync(process.execPath, arguments_, {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    return JSON.parse(output) as Record<PrerenderedPath, PrerenderedPage>;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The files that a prerendered page loads: the entry and the page with their imports. */
function filesOf(
  path: PrerenderedPath,
  bundle: Rolldown.OutputBundle,
): { scripts: string[]; styles: string[] } {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const take = (name: string) => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (!chunk || scripts.has(name)) return;
    scripts.add(name);
    chunk.viteMetadata?.importedCss.forEach((css) => styles.add(css));
    chunk.imports.forEach(take);
  };
  chunks.filter(({ isEntry }) => isEntry).forEach(({ fileName }) => take(fileName));
  const { source } = prerendered[path];
  const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${source}.tsx`));
  if (!page) throw new Error(`${source} has no chunk of its own`);
  take(page.fileName);
  return { scripts: [...scripts], styles: [...styles] };
}

/** Replaces each key, which must occur once, by its value. */
function fill(template: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((html, [key, value]) => {
    const [before, after, ...more] = html.split(key);
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`index.html must contain ${key} once`);
    return before + value + after;
  }, template);
}

/**
 * Replaces the unknown origin of the portal with placeholders. Throws if the page shows the host anywhere else, where
 * the server would not fill it in.
 */
function withOrigin(html: string): string {
  const filled = html.replaceAll(unknownUrl, placeholder('publicUrl'));
  const { host } = new URL(unknownUrl);
  const withHost = filled.replaceAll(`Host: ${host}`, `Host: ${placeholder('publicUrl.host')}`);
  if (withHost.includes(host)) throw new Error('A prerendered page shows a URL that only the server knows');
  return withHost;
}

/**
 * `index.html` with a prerendered page in it. Its styles are inlined, so that the first paint waits for no file; its
 * scripts wait in a template (`waiting.scripts.ts`).
 */
function htmlOf(
  path: PrerenderedPath,
  page: PrerenderedPage,
  boot: string,
  bundle: Rolldown.OutputBundle,
): string {
  const { scripts, styles } = filesOf(path, bundle);
  const [entry = '', ...imports] = scripts;
  const { keywords }: AppPage = appRoutes[path];
  const css = styles.map((name) => String((bundle[name] as Rolldown.OutputAsset).source)).join('\n');
  const head = [
    `<script>${boot}</script>`,
    // The picture at the top is lazy, because the page contains it in both colour modes and shows only one; without
    // these preloads it would wait for the layout.
    ...page.pictures.map(
      ({ href, media }) =>
        `<link rel="preload" as="image" type="image/webp" fetchpriority="high" href="${href}" media="${media}">`,
    ),
    ...(path === '/' ? [] : [`<link rel="alternate" type="text/markdown" href="${path}.md">`]),
    ...(keywords === undefined ? [] : [`<meta name="keywords" content="${keywords}">`]),
    `<style>${css}</style>`,
    // Never loaded: tells modules loaded later that these styles are present.
    ...styles.map((name) => `<link rel="stylesheet" href="/${name}" disabled>`),
  ];
  const waiting = [
    ...imports.map((name) => `<link rel="modulepreload" href="/${name}">`),
    `<script type="module" src="/${entry}"></script>`,
  ];
  return fill(readFileSync(join(frontend, 'index.html'), 'utf8'), {
    '</head>': `${head.join('')}</head>`,
    '<div id="root"></div>': `<div id="root">${withOrigin(page.html)}</div>`,
    '<script type="module" src="/src/main.tsx"></script>': `<template id="${waitingScriptsId}">${waiting.join('')}</template>`,
  });
}

/**
 * Everything the portal's pages need besides the bundle: the theme as a stylesheet, the inline script that runs before
 * the first paint, and the fonts of server-rendered pages. A build also prerenders the public pages and compresses the
 * files. Values of the configuration remain placeholders, `{{links.docs}}`, which the server fills in.
 */
export function portalPages(): Plugin {
  let isBuild = true;
  let outDir = '';
  return {
    name: 'portal-pages',
    config: () => ({ css }),
    configResolved(config) {
      isBuild = config.command === 'build';
      outDir = resolve(config.root, config.build.outDir);
    },
    resolveId: (id) => (id === themeId ? `\0${themeId}` : null),
    load: (id) => (id === `\0${themeId}` ? themeStyles() : null),
    configureServer({ middlewares }) {
      for (const [address, font] of Object.entries(serverFonts))
        middlewares.use(`/${address}`, (_, response) =>
          createReadStream(resolvePackage(font)).pipe(response.setHeader('content-type', 'font/woff2')),
        );
    },
    generateBundle() {
      for (const [fileName, font] of Object.entries(serverFonts))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(resolvePackage(font)) });
    },
    transformIndexHtml: {
      order: 'post',
      handler: async (html) => ({
        html: isBuild ? html : withoutPlaceholders(html),
        tags: [{ tag: 'script', children: await bootScript(), injectTo: 'head' }],
      }),
    },
    async writeBundle(_, bundle) {
      const [pages, boot] = await Promise.all([prerenderPages(), bootScript()]);
      for (const path of prerenderedPaths)
        writeFileSync(join(outDir, prerendered[path].file), htmlOf(path, pages[path], boot, bundle));
      compressFiles(join(outDir, 'assets'));
    },
  };
}

/** The page for development, where no server fills in the placeholders. */
const withoutPlaceholders = (html: string): string =>
  html
    .replaceAll('{{title}}', 'Orange ID developer portal')
    .replace(/\{\{\w+\}\}/g, '')
    .replace(/<link rel="canonical".*>/, '');
