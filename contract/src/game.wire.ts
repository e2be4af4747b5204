/**
 * The messages between a game in a frame and its host page, `postMessage({ event_type, payload? })`. Games and hosts of
 * others use the same names, so they never change. This file is part of the game SDK, so it imports nothing.
 */
export const toHost = {
  loaded: 'GG_GAME_LOAD_FINISHED',
  paused: 'GG_PAUSED_FROM_GAME',
  resumed: 'GG_RESUMED_FROM_GAME',
  /** Payload `{ score }`. */
  over: 'GG_GAME_OVER',
  /** Payload `{ data }`, any JSON value but null. */
  save: 'GG_UPDATE_GAME_DATA',
  /** Payload `{ defaultData }`; the host answers with `toGame.data`. */
  getData: 'GG_GET_GAME_DATA',
  /** Ours alone: asks which host this is. Other hosts ignore it. Payload `{ sdk }`, the SDK's version. */
  hello: 'ORANGE_SDK_HELLO',
} as const;

export const toGame = {
  /** Payload `{ gameData }`: what was saved last, or else the game's `defaultData`. */
  data: 'GG_SET_GAME_DATA',
  pause: 'GG_PAUSED_FROM_PARENT',
  resume: 'GG_RESUMED_FROM_PARENT',
  /** The game answers with `toHost.over`, then `toHost.save`. */
  quit: 'GG_QUIT_FROM_PARENT',
  /** Answers `toHost.hello`. Payload `{ host }`, the host's name. */
  host: 'ORANGE_SDK_HOST',
} as const;

export type ToHost = (typeof toHost)[keyof typeof toHost];
export type ToGame = (typeof toGame)[keyof typeof toGame];

export const gameLimits = {
  /** How long the SDK waits for an answer to `hello`. */
  helloMs: 1_000,
  /** How long saves and scores wait for the game to report that it has loaded. */
  loadedMs: 5_000,
  /** How long the SDK waits for saved data. */
  dataMs: 5_000,
  /** How long a host waits for a game that was asked to quit. */
  quitMs: 2_000,
  /** Saved data as JSON in UTF-8. */
  dataBytes: 65_536,
  /** All files of a game, uncompressed; a game has less. */
  gameBytes: 7 * 2 ** 20,
} as const;
