/** Headers of which each alone tells that a proxy passed the request on. */
export const forwardedHeaders: Record<string, string>[] = [
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-for': 'unknown' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'portal.example.com' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-server': 'proxy' },
  { forwarded: 'for=127.0.0.1' },
  { via: '1.1 proxy' },
  { 'x-real-ip': '127.0.0.1' },
  { 'x-client-ip': '127.0.0.1' },
  { 'cf-connecting-ip': '127.0.0.1' },
  { 'true-client-ip': '127.0.0.1' },
  { 'fastly-client-ip': '127.0.0.1' },
  { 'x-cluster-client-ip': '127.0.0.1' },
  { 'x-original-forwarded-for': '127.0.0.1' },
];
