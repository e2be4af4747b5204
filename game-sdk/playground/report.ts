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
/** Sounds that play or have played: a game's are often outside the document. */
const played = new Set<HTMLMediaElement>();
/** Those that the game itself has not muted. */
const muted = new Set<HTMLMediaElement>();
const mute = (sound: HTMLMediaElement): void => {
  if (sound.muted) return;
  sound.muted = true;
  muted.add(sound);
};
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
  played.add(this);
  if (isMuted) mute(this);
  return play.call(this);
};
const muteSounds = (): void => {
  if (isMuted) {
    for (const sound of [...played, ...document.querySelectorAll<HTMLMediaElement>('audio, video')])
      mute(sound);
  } else {
    for (const sound of muted) sound.muted = false;
    muted.clear();
  }
};
addEventListener('message', ({ source, data }: MessageEvent<ToPlayground | null>) => {
  if (source !== parent || data?.playground !== 'mute') return;
  isMuted = data.isMuted;
  muteSounds();
  for (const context of contexts) void (isMuted ? context.suspend() : context.resume());
});
