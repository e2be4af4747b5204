/** First segments of the backend's paths, which `npm run dev` proxies to the backend. */
export const backendPaths = [
  '/.well-known',
  '/api',
  '/devportal',
  '/examples',
  '/health',
  '/metrics',
  '/pictures',
  '/widget',
];
