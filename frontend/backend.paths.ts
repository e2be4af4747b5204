/** The first parts of the paths that are the backend's; `npm run dev` passes them on to it. */
export const backendPaths = [
  '/.well-known',
  '/api',
  '/devportal',
  '/health',
  '/metrics',
  '/pictures',
  '/widget',
];
