import react from '@vitejs/plugin-react';
import { defineConfig, type Connect, type Plugin } from 'vite';
import { handle } from './server/api.mjs';

const toApi: Connect.NextHandleFunction = (request, response, next) =>
  request.url?.startsWith('/api/') ? void handle(request, response) : next();

/** `npm run dev` and `npm run preview` serve `/api/…` too, with the code that `npm run server` runs. */
const api: Plugin = {
  name: 'api',
  configureServer: ({ middlewares }) => void middlewares.use(toApi),
  configurePreviewServer: ({ middlewares }) => void middlewares.use(toApi),
};

export default defineConfig({
  plugins: [react(), api],
  // APP_ORIGINS in .env lists this port.
  server: { port: 5173, strictPort: true },
  preview: { port: 5173, strictPort: true },
});
