import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import { join } from 'node:path';

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
const buildPairing = (): Plugin => ({
  name: 'pairing-library',
  closeBundle: async () => void (await build(pairing)),
});

/** The login widget: one script and one stylesheet, which the passport loader finds through the version info. */
export default defineConfig({
  ...shared,
  plugins: [hostReact(), buildPairing()],
  resolve: {
    alias: {
      '@walletconnect/ethereum-provider': join(import.meta.dirname, 'widget/wallet.connect.loader.ts'),
    },
  },
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
