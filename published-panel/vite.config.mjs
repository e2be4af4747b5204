import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const sources = fileURLToPath(new URL('node_modules/@bedrock_org/passport/lib', import.meta.url));

/** Builds the panel from its sources: the package's own entry only loads a script from its vendor. */
export default defineConfig({
  resolve: {
    // The sources import each other from here.
    alias: [{ find: /^@\//, replacement: `${sources}/` }],
    dedupe: ['react', 'react-dom', 'wagmi', 'viem'],
  },
  esbuild: { jsx: 'automatic' },
  css: { postcss: { plugins: [] } },
  build: { minify: false },
});
