import type { PublicConfig } from '@orange-id/contract/config.schema';
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { scriptListId } from '../src/ui/page.ahead.ts';
import { themeStyles } from './theme.styles.ts';

const frontend = join(import.meta.dirname, '..');
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

/** A placeholder for a text of the configuration, which only the server knows. */
const mark = (path: string) => `{{${path}}}`;

/** Texts that pages parse as URLs, which fails for a placeholder. Lower case, as URL parsing lower-cases host names. */
const addressMarks = { 'public-url': 'publicUrl', 'identity-url': 'identity.baseUrl' } as const;
const addressMark = (name: keyof typeof addressMarks) => `https://${name}.invalid`;

const markedConfig: PublicConfig = {
  publicUrl: addressMark('public-url'),
  identity: {
    baseUrl: addressMark('identity-url'),
    callbackUrl: mark('identity.callbackUrl'),
    subscriptionKey: mark('identity.subscriptionKey'),
    tenantId: mark('identity.tenantId'),
    walletConnectId: null,
    beta: false,
  },
  features: { embeddedProjects: true, google: true, apple: true, mailbox: false },
  links: {
    docs: mark('links.docs'),
    feedback: mark('links.feedback'),
    learnMore: mark('links.learnMore'),
    templateProject: mark('links.templateProject'),
    reactGuide: mark('links.reactGuide'),
    scriptExample: mark('links.scriptExample'),
    telegram: mark('links.telegram'),
    x: mark('links.x'),
    discord: mark('links.discord'),
    news: mark('links.news'),
  },
};

/** The HTML of `/` for a visitor, rendered by the same code as in the browser. */
async function drawHome(): Promise<string> {
  const out = mkdtempSync(join(frontend, 'node_modules', '.prerender-'));
  try {
    await build({
      configFile: false,
      root: frontend,
      logLevel: 'error',
      publicDir: false,
      define: { __PORTAL_INSPECT__: 'false' },
      // Of the lazily loaded modules, a visitor's first page renders only the landing page.
      plugins: [
        {
          name: 'landing-only',
          resolveDynamicImport: (id) =>
            typeof id === 'string' && !id.endsWith('/LandingPage') ? { id, external: true } : null,
        },
      ],
      ssr: { noExternal: true },
      build: { ssr: join(frontend, 'src/prerender.tsx'), outDir: out, emptyOutDir: true },
    });
    const [file] = readdirSync(out).filter((name) => name.startsWith('prerender.'));
    const worker = join(frontend, 'build/prerender.worker.mjs');
    const arguments_ = [worker, join(out, String(file)), JSON.stringify(markedConfig)];
    const home = execFileSync(process.execPath, arguments_, {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    // Long URLs are rendered with a `<wbr>` after their slashes.
    return home.replace(
      /https:\/\/(<wbr\/>)?([\w-]+)\.invalid/g,
      (_, wbr = '', name: keyof typeof addressMarks) =>
        `${mark(`${addressMarks[name]}.protocol`)}//${wbr}${mark(`${addressMarks[name]}.host`)}`,
    );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The files that `/` should load immediately: the entry and the landing page with their imports. */
function landingFiles(bundle: Rolldown.OutputBundle): { scripts: string[]; styles: string[] } {
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
  const landing = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/LandingPage.tsx'));
  if (!landing) throw new Error('the landing page has no chunk of its own');
  take(landing.fileName);
  return { scripts: [...scripts], styles: [...styles] };
}

/**
 * Preloads the first picture in the colour mode and width it will have. Without that, it would wait for the layout: it
 * loads lazily, because one of its two modes never shows.
 */
function picturePreloads(home: string): string {
  const pictures = [...home.matchAll(/<picture data-mode="(light|dark)">(.*?)<\/picture>/g)].slice(0, 2);
  if (pictures.length < 2) throw new Error('the landing page begins with no picture in two modes');
  return pictures
    .map(([, mode, inside]) => {
      const [, media, narrow] = /<source media="([^"]+)" srcSet="([^"]+)"/.exec(String(inside)) ?? [];
      const [, wide] = /<img[^>]* src="([^"]+)"/.exec(String(inside)) ?? [];
      const link = (href: string | undefined, width: string) =>
        `<link rel="preload" as="image" type="image/webp" fetchpriority="high" href="${href}" media="${width} and (prefers-color-scheme: ${mode})">`;
      return link(narrow, String(media)) + link(wide, `(not ${media})`);
    })
    .join('');
}

/**
 * The shell with the landing page in it. Its styles are inlined, so that the first paint waits for no file; its scripts
 * are only listed, for `page.ahead.ts` to load after the first paint.
 */
async function landingHtml(shell: string, bundle: Rolldown.OutputBundle): Promise<string> {
  const { scripts, styles } = landingFiles(bundle);
  const css = styles.map((name) => String((bundle[name] as Rolldown.OutputAsset).source)).join('\n');
  // Never loaded: tells modules loaded later that these styles are present.
  const links = styles.map((name) => `<link rel="stylesheet" href="/${name}" disabled>`).join('');
  const list = `<script type="application/json" id="${scriptListId}">${JSON.stringify(scripts.map((name) => `/${name}`))}</script>`;
  const home = await drawHome();
  return (
    shell
      .replace(/<link rel="(?:stylesheet|modulepreload)"[^>]*>\s*/g, '')
      .replace(/<script type="module"[^>]*><\/script>\s*/, '')
      // Must come before the script that reads it.
      .replace('</title>', () => `</title>\n    ${list}`)
      .replace('</head>', () => `${picturePreloads(home)}<style>${css}</style>${links}</head>`)
      .replace('<div id="root"></div>', () => `<div id="root">${home}</div>`)
  );
}

const isText = /\.(?:js|css|svg|html|json|txt|webmanifest)$/;

/** Also writes each text file as gzip and Brotli at their highest levels, so that the server need not compress it. */
function compressFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !isText.test(entry.name)) continue;
    const content = readFileSync(path);
    if (content.length < 1024) continue;
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(content));
  }
}

/**
 * Everything the portal's pages need besides the bundle: the theme as a stylesheet, the inline script that runs before
 * the first paint, and the fonts of server-rendered pages. A build also prerenders `/` (`landing.html`) and compresses
 * the files. Texts of the configuration remain placeholders, `{{links.docs}}`, which the server fills in.
 */
export function portalPages(): Plugin {
  let isBuild = true;
  let outDir = '';
  return {
    name: 'portal-pages',
    configResolved(config) {
      isBuild = config.command === 'build';
      outDir = join(config.root, config.build.outDir);
      if (config.build.outDir.startsWith('/')) outDir = config.build.outDir;
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
      async handler(html) {
        const page = isBuild
          ? html
          : html
              .replaceAll('{{title}}', 'Orange ID developer portal')
              .replace(/\{\{\w+\}\}/g, '')
              .replace(/<link rel="canonical".*>/, '');
        const script = `<script>${await bootScript()}</script>`;
        return page.replace('</title>', () => `</title>\n    ${script}`);
      },
    },
    async writeBundle(_, bundle) {
      const shell = readFileSync(join(outDir, 'index.html'), 'utf8');
      writeFileSync(join(outDir, 'landing.html'), await landingHtml(shell, bundle));
      compressFiles(join(outDir, 'assets'));
    },
  };
}
