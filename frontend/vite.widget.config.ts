import { compressFiles } from './build/compress.files.ts';
import { copyFonts } from './build/widget.fonts.ts';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { panelCss } from './loader/panel.css.ts';

/**
 * The passport loader passes its page's React as globals, and a second React in the same tree would break every hook.
 * CommonJS shims rather than `external`, because dependencies that `require('react')` resolve them too.
 */
const handedOver: Record<string, string> = {
  react: 'module.exports = window.React;',
  'react-dom': 'module.exports = window.ReactDOM;',
  'react/jsx-runtime': 'module.exports = window.jsxRuntime;',
  // Imported by a part of viem that this code never reaches.
  'node:worker_threads': 'module.exports = {};',
  'react-dom/client': `exports.createRoot = () => {
    throw new Error('The page that loads this widget hands over no createRoot');
  };`,
};

const hostReact = (): Plugin => ({
  name: 'host-react',
  enforce: 'pre',
  resolveId: (id) => (id in handedOver ? `\0host:${id}.cjs` : null),
  load: (id) => handedOver[/^\0host:(.+)\.cjs$/.exec(id)?.[1] ?? ''] ?? null,
});

const shared = {
  root: import.meta.dirname,
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
} as const;
const target = { outDir: 'dist/widget', target: 'es2022', minify: true, sourcemap: false } as const;

/** The pairing library imports its modal, which is replaced by the panel's own view and not installed. */
const withoutModal = (): Plugin => ({
  name: 'without-modal',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith('@reown/') ? '\0modal' : null),
  load: (id) => (id === '\0modal' ? 'export {};' : null),
});

/**
 * The pairing library is larger than the whole widget, so it is a separate file that only a visitor who pairs loads.
 */
const pairing: InlineConfig = {
  ...shared,
  plugins: [withoutModal()],
  configFile: false,
  logLevel: 'warn',
  build: {
    ...target,
    emptyOutDir: false,
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
    lib: { entry: 'widget/wallet.connect.chunk.ts', formats: ['es'], fileName: () => 'walletconnect.js' },
  },
};
/** The script tag of other sites. They load it on every page, so it must stay small. */
const loaderMaxBytes = 5000;
const finishedStyle = (): Plugin => ({
  name: 'finished-style',
  load: (id) =>
    id.endsWith('/loader/panel.css.ts')
      ? `export const panelCss = ${JSON.stringify(panelCss.replaceAll('\n', ''))};`
      : null,
});
const loader: InlineConfig = {
  ...shared,
  plugins: [finishedStyle()],
  configFile: false,
  logLevel: 'warn',
  build: {
    ...target,
    emptyOutDir: false,
    lib: {
      entry: 'loader/main.ts',
      formats: ['iife'],
      name: 'OrangeIdLoader',
      fileName: () => 'orange-id.js',
    },
  },
};

/**
 * Builds the loader: `orange-id.js`; the same under a name that its content decides, which never changes; a manifest of
 * that name and the file's integrity; and the types of the global.
 */
async function buildLoader(folder: string): Promise<void> {
  await build(loader);
  const code = readFileSync(join(folder, 'orange-id.js'));
  const { byteLength } = gzipSync(code, { level: 9 });
  if (byteLength > loaderMaxBytes) {
    throw new Error(`The loader has ${byteLength} bytes after gzip, more than ${loaderMaxBytes}`);
  }
  const hash = createHash('sha384').update(code);
  const integrity = `sha384-${hash.copy().digest('base64')}`;
  const file = `orange-id.${hash.digest('hex').slice(0, 16)}.js`;
  writeFileSync(join(folder, file), code);
  writeFileSync(join(folder, 'orange-id.json'), JSON.stringify({ file, integrity }));
  copyFileSync(join(import.meta.dirname, 'loader/orange-id.types.ts'), join(folder, 'orange-id.d.ts'));
}

const pairingOnDemand = {
  '@walletconnect/ethereum-provider': join(import.meta.dirname, 'widget/wallet.connect.loader.ts'),
};

/** Imported by a part of viem that this code never reaches. */
const withoutWorkers = (): Plugin => ({
  name: 'without-workers',
  enforce: 'pre',
  resolveId: (id) => (id === 'node:worker_threads' ? '\0workers' : null),
  load: (id) => (id === '\0workers' ? 'export const Worker = null;' : null),
});

/** The configurator of /customisation and the landing page's preview: pages of their own, which sandboxed frames load. */
const configurator: InlineConfig = {
  ...shared,
  root: join(import.meta.dirname, 'configurator'),
  base: './',
  plugins: [withoutWorkers()],
  resolve: { alias: pairingOnDemand },
  configFile: false,
  logLevel: 'warn',
  build: {
    ...target,
    outDir: join(import.meta.dirname, target.outDir, 'configurator'),
    emptyOutDir: true,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: ['index', 'preview'].map((page) => join(import.meta.dirname, 'configurator', `${page}.html`)),
      checks: { moduleLevelDirective: false },
    },
  },
};
/** Builds what stands beside the widget, then compresses all of it. */
const besideTheWidget = (): Plugin => ({
  name: 'beside-the-widget',
  async closeBundle() {
    const folder = join(import.meta.dirname, target.outDir);
    await build(pairing);
    await buildLoader(folder);
    await build(configurator);
    compressFiles(folder);
  },
});

/** The login widget: one script and one stylesheet, which the passport loader finds through the version info. */
export default defineConfig({
  ...shared,
  plugins: [hostReact(), besideTheWidget(), copyFonts(join(import.meta.dirname, target.outDir))],
  resolve: { alias: pairingOnDemand },
  build: {
    ...target,
    emptyOutDir: true,
    // Libraries mark modules for React Server Components; a browser bundle does not need these directives.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
    lib: {
      entry: 'widget/main.ts',
      formats: ['iife'],
      name: 'OrangeLogin',
      fileName: () => 'passport.js',
      cssFileName: 'passport',
    },
  },
});
