/** A JSON value. The data of a game is any but null. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * - `noFrame`: the game isn't in a frame, so there is no host.
 * - `invalidScore`: a score isn't a finite number.
 * - `invalidData`: data is null, isn't JSON, or has more than 65,536 bytes as JSON.
 * - `noAnswer`: the host didn't answer in time.
 */
export type GameErrorCode = 'noFrame' | 'invalidScore' | 'invalidData' | 'noAnswer';

export interface GameError extends Error {
  code: GameErrorCode;
}

export interface GameOptions {
  /** The only origin of the host, for example `https://play.example.com`. By default any page may host the game. */
  hostOrigin?: string;
  /** The window of the host: the page around the game's frame (default), or the outermost page. */
  hostWindow?: 'parent' | 'top';
}

/** What happened when the player left: the last score, and the data to keep, if any. */
export interface GameResult {
  score: number;
  data?: Json;
}

export interface GameEvents {
  pause: () => void;
  resume: () => void;
  quit: () => void;
}

export interface Game {
  /** Which host answered: its name, `unknown` if none did within a second, null until then. Nothing depends on it. */
  readonly host: string | null;
  /** Resolves to `host` once it is known, within a second. */
  readonly whenHostKnown: Promise<string>;
  /** Tells the host that the game can be played. Saves and scores wait for this, at most five seconds. */
  gameLoaded(): Promise<void>;
  gamePaused(): Promise<void>;
  gameResumed(): Promise<void>;
  /** Tells the host the score of a finished game, a finite number. */
  gameOver(score: number): Promise<void>;
  /** Saves any JSON value but null, at most 65,536 bytes, for this player and this game. Replaces what was saved. */
  saveGameData(data: Json): Promise<void>;
  /**
   * Resolves to what was saved last, or to `defaults`. Calls made while the host has not answered share one request.
   * The callback gets the same value.
   */
  getGameData<Data extends Json>(defaults: Data, callback?: (data: Data) => void): Promise<Data>;
  /** Calls the listener whenever the host asks for it. Returns a function that removes the listener. */
  on<Name extends keyof GameEvents>(name: Name, listener: GameEvents[Name]): () => void;
  /**
   * Sends the score and then the data that `handler` returns when the host asks the game to quit, as it must within two
   * seconds. Another handler replaces this one. Returns a function that removes the handler.
   */
  onQuit(handler: () => GameResult | Promise<GameResult>): () => void;
  /** Stops listening to the host. */
  close(): void;
}

/** Connects the game to its host. Every method rejects with a `GameError`. */
export type CreateGame = (options?: GameOptions) => Game;
