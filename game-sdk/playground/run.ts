import type { FromPlayground, ToPlayground } from '@orange-id/contract/playground.protocol';
import { playgroundPaths } from '@orange-id/contract/playground.protocol';

/** Gets a game from the page around this frame, gives it to the service worker, and opens it. */
const tell = (message: FromPlayground): void => parent.postMessage(message, '*');

const typeOf: Record<string, string> = {
  css: 'text/css',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  mjs: 'text/javascript; charset=utf-8',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
};

async function open({ files, isSlow }: Extract<ToPlayground, { playground: 'open' }>): Promise<void> {
  await navigator.serviceWorker.register('/sw.js');
  await navigator.serviceWorker.ready;
  await caches.delete('game');
  const cache = await caches.open('game');
  await cache.put('/slow', new Response(isSlow ? 'yes' : 'no'));
  for (const [path, content] of files ?? []) {
    const type = typeOf[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
    const address = playgroundPaths.game + path.split('/').map(encodeURIComponent).join('/');
    await cache.put(address, new Response(content, { headers: { 'content-type': type } }));
  }
  location.replace(files === null ? playgroundPaths.sample : `${playgroundPaths.game}index.html`);
}

addEventListener('message', ({ source, data }: MessageEvent<ToPlayground | null>) => {
  if (source !== parent || data?.playground !== 'open') return;
  open(data).catch((error: unknown) => {
    // A browser that blocks site data still runs the sample, which needs no service worker.
    if (data.files === null) location.replace(playgroundPaths.sample);
    else tell({ playground: 'failed', reason: String(error) });
  });
});
tell({ playground: 'ready' });
