/**
 * How the playground's page gives the files of a game to its frame, which is on the playground's own origin and whose
 * service worker serves them. The page's messages come with the files as a map from path to content.
 */
export const playgroundPaths = {
  /** The page that the frame opens first. */
  run: '/run.html',
  sample: '/sample/',
  /** Where the service worker serves the reader's files. */
  game: '/game/',
  /** The sample on the portal's own origin, in a sandbox without one, for a portal that has no origin for games. */
  ownSample: '/sdk/sample/index.html',
} as const;

/** From the frame to the page. */
export type FromPlayground =
  /** Asks for the game. */
  | { playground: 'ready' }
  /** The game can't run here, for example because the browser blocks storage. */
  | { playground: 'failed'; reason: string }
  /** An error that the game threw or a promise that it left rejected. */
  | { playground: 'error'; message: string }
  /** The policy stopped a request to this address. */
  | { playground: 'blocked'; address: string };

/** From the page to the frame. */
export type ToPlayground =
  /** Answers `ready`: the reader's files, or none for the sample. */
  | { playground: 'open'; files: Map<string, Blob> | null; isSlow: boolean }
  | { playground: 'mute'; isMuted: boolean };

export const playgroundLimits = {
  /** Files of a zip or a folder; far above what a game may have, so that a check can say so. */
  files: 2_000,
  bytes: 50 * 2 ** 20,
  /** Messages that the log keeps. */
  log: 500,
  /** Messages a second that the host answers; more are counted only. */
  messagesPerSecond: 100,
  /** Characters of a payload that the log shows. */
  payload: 2_000,
  /** Delay of every file on a slow network, in ms. */
  slowMs: 800,
} as const;
