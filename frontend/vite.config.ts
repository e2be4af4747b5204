import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { backendPaths } from './backend.paths.ts';
import { portalPages } from './build/portal.plugin.ts';

/** Where the backend listens while `npm run dev` serves the frontend. */
const backend = `http://localhost:${process.env.PORT ?? 3000}`;

/** The vendor chunk of each module: few and stable, so that they stay cached when a release changes our code. */
const vendorGroups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/ },
  { name: 'machines', test: /node_modules[\\/](xstate|@xstate)[\\/]/ },
  { name: 'zod', test: /node_modules[\\/]zod[\\/]/ },
  { name: 'query', test: /node_modules[\\/]@tanstack[\\/]/ },
];

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), portalPages()],
  define: {
    // Development and test builds expose their machines in `window.__portal`; a production build contains none of that.
    __PORTAL_INSPECT__: JSON.stringify(mode !== 'production' || process.env.VITE_PORTAL_INSPECT === '1'),
  },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2022',
    // A data: URI would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: { output: { codeSplitting: { groups: vendorGroups } } },
  },
  server: {
    proxy: {
      ...Object.fromEntries(backendPaths.map((path) => [path, backend])),
      '/socket.io': { target: backend, ws: true },
    },
  },
}));
