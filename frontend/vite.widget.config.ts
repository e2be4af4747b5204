import { defineConfig, type Plugin } from 'vite';

/**
 * The passport loader hands its page's React over as globals, and a second React in the same tree would break
 * every hook. CommonJS stand-ins rather than `external`: dependencies that `require('react')` resolve them too.
 */
const handedOver: Record<string, string> = {
  react: 'module.exports = window.React;',
  'react-dom': 'module.exports = window.ReactDOM;',
  'react/jsx-runtime': 'module.exports = window.jsxRuntime;',
  // A corner of viem that no code here reaches names it.
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

/** The login widget: one script and one stylesheet, loaded by the passport loader from the version info. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [hostReact()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: 'dist/widget',
    emptyOutDir: true,
    target: 'es2022',
    minify: true,
    sourcemap: false,
    // Libraries mark modules for React servers; a browser bundle has no use for the marks.
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
