import type { FromPlayground, ToPlayground } from '@orange-id/contract/playground.protocol';

/** Runs in the game's page before the game: reports its errors and blocked requests, and mutes it. */
const tell = (message: FromPlayground): void => parent.postMessage(message, '*');
let left = 50;
const report = (message: FromPlayground): void => {
  if (left-- > 0) tell(message);
};

addEventListener('error', ({ message, filename }) =>
  report({ playground: 'error', message: message || `${filename} failed to load` }),
);
addEventListener('unhandledrejection', ({ reason }) =>
  report({ playground: 'error', message: String(reason) }),
);
addEventListener('securitypolicyviolation', ({ blockedURI }) =>
  report({ playground: 'blocked', address: blockedURI }),
);
const logError = console.error.bind(console);
console.error = (...words: unknown[]) => {
  report({ playground: 'error', message: words.map(String).join(' ').slice(0, 500) });
  logError(...words);
};

let isMuted = false;
const contexts = new Set<AudioContext>();
const Original = window.AudioContext;
if (typeof Original === 'function') {
  window.AudioContext = class extends Original {
    constructor(options?: AudioContextOptions) {
      super(options);
      contexts.add(this);
      if (isMuted) void this.suspend();
    }
  };
}
const muteMedia = (): void => {
  for (const media of document.querySelectorAll<HTMLMediaElement>('audio, video')) media.muted = isMuted;
};
addEventListener('play', muteMedia, true);
addEventListener('message', ({ source, data }: MessageEvent<ToPlayground | null>) => {
  if (source !== parent || data?.playground !== 'mute') return;
  isMuted = data.isMuted;
  muteMedia();
  for (const context of contexts) void (isMuted ? context.suspend() : context.resume());
});
