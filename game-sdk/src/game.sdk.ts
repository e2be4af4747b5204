import { gameLimits, toGame, toHost, type ToHost } from '@orange-id/contract/game.wire';
import type {
  CreateGame,
  Game,
  GameError as GameProblem,
  GameErrorCode,
  GameEvents,
  GameOptions,
  GameResult,
  Json,
} from './game.sdk.types.js';

/** Replaced by the build. */
declare const SDK_VERSION: string;

export class GameError extends Error implements GameProblem {
  override name = 'GameError';

  constructor(
    readonly code: GameErrorCode,
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve(data: Json): void;
  reject(error: GameError): void;
  defaults: Json;
}

export const createGame: CreateGame = (options = {}) => new FramedGame(options);

class FramedGame implements Game {
  host: string | null = null;
  readonly whenHostKnown: Promise<string>;

  private readonly hostWindow: Window;
  /** Unknown until the host has answered, if the game doesn't name it. */
  private hostOrigin: string;
  private readonly isFixedOrigin: boolean;
  private readonly listeners: { [Name in keyof GameEvents]: Set<GameEvents[Name]> } = {
    pause: new Set(),
    resume: new Set(),
    quit: new Set(),
  };
  private quitHandler: (() => GameResult | Promise<GameResult>) | null = null;
  /** Calls of `getGameData` that share the request in flight. */
  private waiting: Waiting[] = [];
  private dataTimer: ReturnType<typeof setTimeout> | undefined;
  private setLoaded!: () => void;
  private readonly loaded: Promise<void>;
  private knowHost!: (name: string) => void;

  constructor({ hostOrigin, hostWindow = 'parent' }: GameOptions) {
    this.hostWindow = window[hostWindow] as Window;
    this.isFixedOrigin = hostOrigin !== undefined;
    // `new URL` names an origin that isn't one in its error.
    this.hostOrigin = hostOrigin === undefined ? '*' : new URL(hostOrigin).origin;
    this.loaded = new Promise((resolve) => (this.setLoaded = resolve));
    this.whenHostKnown = new Promise((resolve) => {
      this.knowHost = (name) => {
        this.host ??= name;
        resolve(this.host);
      };
    });
    if (this.isFramed()) this.greet();
    else this.knowHost('unknown');
  }

  async gameLoaded(): Promise<void> {
    this.requireFrame();
    this.post(toHost.loaded);
    this.setLoaded();
  }

  async gamePaused(): Promise<void> {
    this.requireFrame();
    this.post(toHost.paused);
  }

  async gameResumed(): Promise<void> {
    this.requireFrame();
    this.post(toHost.resumed);
  }

  async gameOver(score: number): Promise<void> {
    this.requireFrame();
    requireScore(score);
    await this.whenLoaded();
    this.post(toHost.over, { score });
  }

  async saveGameData(data: Json): Promise<void> {
    this.requireFrame();
    const copy = copyOf(data, 'The data to save');
    await this.whenLoaded();
    this.post(toHost.save, { data: copy });
  }

  async getGameData<Data extends Json>(defaults: Data, callback?: (data: Data) => void): Promise<Data> {
    this.requireFrame();
    const defaultData = copyOf(defaults, 'The default data');
    const answer = new Promise<Json>((resolve, reject) => {
      this.waiting.push({ resolve, reject, defaults });
    });
    if (this.waiting.length === 1) {
      this.post(toHost.getData, { defaultData });
      this.dataTimer = setTimeout(() => this.refuseData(), gameLimits.dataMs);
    }
    const data = (await answer) as Data;
    callback?.(data);
    return data;
  }

  on<Name extends keyof GameEvents>(name: Name, listener: GameEvents[Name]): () => void {
    const listeners = this.listeners[name];
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  onQuit(handler: () => GameResult | Promise<GameResult>): () => void {
    this.quitHandler = handler;
    return () => {
      if (this.quitHandler === handler) this.quitHandler = null;
    };
  }

  close(): void {
    removeEventListener('message', this.receive);
  }

  private greet(): void {
    addEventListener('message', this.receive);
    this.post(toHost.hello, { sdk: SDK_VERSION });
    setTimeout(() => this.knowHost('unknown'), gameLimits.helloMs);
  }

  private readonly receive = (event: MessageEvent<unknown>): void => {
    if (event.source !== this.hostWindow) return;
    if (this.isFixedOrigin && event.origin !== this.hostOrigin) return;
    const { event_type: type, payload } = (event.data ?? {}) as { event_type?: unknown; payload?: unknown };
    const values = (payload ?? {}) as Record<string, unknown>;
    switch (type) {
      case toGame.host:
        // From here on only this host gets messages. A page without an origin is named 'null'.
        if (!this.isFixedOrigin && event.origin !== 'null') this.hostOrigin = event.origin;
        return this.knowHost(typeof values['host'] === 'string' ? values['host'] : 'unknown');
      case toGame.data:
        return this.takeData((values['gameData'] ?? null) as Json);
      case toGame.pause:
        return this.tell('pause');
      case toGame.resume:
        return this.tell('resume');
      case toGame.quit:
        this.tell('quit');
        void this.quit();
    }
  };

  private tell(name: keyof GameEvents): void {
    for (const listener of [...this.listeners[name]]) report(listener);
  }

  /** Not after `whenLoaded`: a host waits two seconds, also for a game that is still loading. */
  private async quit(): Promise<void> {
    const handler = this.quitHandler;
    if (handler === null) return;
    try {
      const { score, data } = await handler();
      requireScore(score);
      this.post(toHost.over, { score });
      if (data !== undefined) this.post(toHost.save, { data: copyOf(data, 'The data to save') });
    } catch (error) {
      report(() => {
        throw error;
      });
    }
  }

  private takeData(saved: Json): void {
    clearTimeout(this.dataTimer);
    for (const { resolve, defaults } of this.waiting.splice(0)) resolve(saved ?? defaults);
  }

  private refuseData(): void {
    const seconds = gameLimits.dataMs / 1000;
    const error = new GameError('noAnswer', `The host sent no game data within ${seconds} seconds`);
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  /** Resolves after five seconds too, so that no score is lost in a game that never reports that it has loaded. */
  private async whenLoaded(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, gameLimits.loadedMs);
    });
    await Promise.race([this.loaded, late]);
    clearTimeout(timer);
  }

  private isFramed(): boolean {
    return this.hostWindow !== window;
  }

  private requireFrame(): void {
    if (this.isFramed()) return;
    throw new GameError(
      'noFrame',
      'The game isn’t in a frame, so it has no host. Open it in the playground of the game SDK guide',
    );
  }

  private post(type: ToHost, payload?: object): void {
    const message = payload === undefined ? { event_type: type } : { event_type: type, payload };
    this.hostWindow.postMessage(message, this.hostOrigin);
  }
}

/** Throws what `work` throws into the console and to error reporting, and nowhere else. */
function report(work: () => void): void {
  try {
    work();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}

function requireScore(score: unknown): void {
  if (Number.isFinite(score)) return;
  throw new GameError('invalidScore', `The score must be a finite number, not ${String(score)}`);
}

/** The value as its JSON says, which is what a host can keep; `name` begins the sentence that says what is wrong. */
function copyOf(value: unknown, name: string): Json {
  if (value === null || value === undefined)
    throw new GameError('invalidData', `${name} must not be ${value}`);
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new GameError('invalidData', `${name} isn’t JSON: ${(error as Error).message}`);
  }
  if (json === undefined || json === 'null') {
    throw new GameError(
      'invalidData',
      `${name} isn’t JSON: it is ${Number.isNaN(value) ? 'NaN' : `a ${typeof value}`}`,
    );
  }
  const { length } = new TextEncoder().encode(json);
  if (length > gameLimits.dataBytes) {
    throw new GameError(
      'invalidData',
      `${name} has ${length} bytes as JSON, more than ${gameLimits.dataBytes}`,
    );
  }
  return JSON.parse(json) as Json;
}
