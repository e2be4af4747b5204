import { playgroundLimits, playgroundPaths } from '@orange-id/contract/playground.protocol';

/** The parts of the service worker's types that this file uses; the DOM's are for pages. */
interface Worker {
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
  addEventListener(
    type: 'fetch',
    listener: (event: { request: Request; respondWith(response: Promise<Response>): void }) => void,
  ): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  location: Location;
}
const worker = self as unknown as Worker;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

/** Serves the reader's files, with the policy that the server gives its own pages. */
worker.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== worker.location.origin) return;
  const isGame = pathname.startsWith(playgroundPaths.game);
  if (!isGame && !pathname.startsWith(playgroundPaths.sample)) return;
  event.respondWith(isGame ? ofGame(pathname) : delayed(fetch(event.request)));
});

async function ofGame(path: string): Promise<Response> {
  const cache = await caches.open('game');
  const [file, policy] = await Promise.all([cache.match(path), policyOf()]);
  if (!file)
    return new Response(`The game has no file ${path}`, {
      status: 404,
      headers: { 'content-security-policy': policy },
    });
  const type = file.headers.get('content-type') ?? '';
  const headers = { 'content-type': type, 'content-security-policy': policy, 'cache-control': 'no-store' };
  if (!type.startsWith('text/html'))
    return delayed(Promise.resolve(new Response(await file.blob(), { headers })));
  // Reports errors and blocked requests to the page. First, so that it misses none.
  const html = (await file.text()).replace(
    /<head[^>]*>|^/i,
    (head) => `${head}<script src="/report.js"></script>`,
  );
  return delayed(Promise.resolve(new Response(html, { headers })));
}

/** The server's policy, from the sample's page: the one place where it is written. */
let policy: Promise<string> | null = null;
function policyOf(): Promise<string> {
  policy ??= fetch(playgroundPaths.sample, { method: 'HEAD' }).then((response) => {
    const text = response.headers.get('content-security-policy');
    if (text === null) throw new Error('The playground has no policy');
    return text;
  });
  policy.catch(() => (policy = null));
  return policy;
}

async function delayed(response: Promise<Response>): Promise<Response> {
  const slow = await (await caches.open('game')).match('/slow');
  if ((await slow?.text()) === 'yes') {
    await new Promise((resolve) => setTimeout(resolve, playgroundLimits.slowMs));
  }
  return response;
}
