import type { PassportAssets } from './passport.machine';

type PanelEvent = { type: 'panel.shown' } | { type: 'asset.failed'; message: string };

interface WatchPanel {
  assets: PassportAssets;
  pollMs: number;
  /** Whether the panel has rendered. */
  isShown: () => boolean;
  send: (event: PanelEvent) => void;
}

/**
 * Watches the loader from outside: it doesn't report when it is done, and a script or stylesheet that fails to load
 * only rejects a promise that nobody handles, with 'Failed to load script: {url}'. Returns a function that stops
 * watching.
 */
export function watchPanel({ assets, pollMs, isShown, send }: WatchPanel): () => void {
  const onRejection = ({ reason }: PromiseRejectionEvent) => {
    const message = reason instanceof Error ? reason.message : '';
    const isOurs = [`Failed to load script: ${assets.script}`, `Failed to load css: ${assets.css}`].includes(
      message,
    );
    if (isOurs) send({ type: 'asset.failed', message });
  };
  const poll = setInterval(() => isShown() && send({ type: 'panel.shown' }), pollMs);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    clearInterval(poll);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}
