import { gameLimits, toGame, toHost, type ToGame } from '@orange-id/contract/game.wire';
import {
  playgroundLimits,
  type FromPlayground,
  type ToPlayground,
} from '@orange-id/contract/playground.protocol';

export interface LogEntry {
  id: number;
  /** Milliseconds since the game was opened. */
  atMs: number;
  direction: 'fromGame' | 'toGame' | 'note';
  type: string;
  /** The payload as JSON, shortened; empty without one. */
  payload: string;
  /** What is wrong with the message. */
  problem?: string;
}

/** What the checks need to know of a session so far. Times in ms since the game was opened. */
export interface SessionFacts {
  loadedAtMs: number | null;
  /** A score or data came first, without being asked for by quit. */
  cameBeforeLoaded: boolean;
  pause: { askedAtMs: number; isAnswered: boolean } | null;
  resume: { askedAtMs: number; isAnswered: boolean } | null;
  quit: { askedAtMs: number; overAfterMs: number | null; savedAfterMs: number | null } | null;
  /** The scores that the game sent, valid ones only. */
  scores: number[];
  invalidScores: string[];
  saves: number;
  invalidData: string[];
  hasFilledScreen: boolean;
  /** Whether the game filled the screen, as the developer saw; `null` until they say. */
  fillsScreen: boolean | null;
  errors: string[];
  blocked: string[];
  /** Messages above the limit a second, which the host did not answer. */
  dropped: number;
}

export interface SessionState {
  facts: SessionFacts;
  log: readonly LogEntry[];
}

export type GameEvent = 'game.loaded' | 'game.paused' | 'game.resumed' | 'game.over' | 'game.saved';

interface SessionOptions {
  /** The origin that the playground's own messages come from; other games may be anywhere. */
  playgroundOrigin: string | null;
  /** What the player saved in this browser, as JSON; `null` without any. */
  saved: string | null;
  onEvent: (event: GameEvent) => void;
  onSave: (json: string) => void;
  /** A valid score. */
  onScore: (score: number) => void;
  /** The frame of the playground asks for the game's files. */
  onReady: () => void;
  onFailure: (reason: string) => void;
  onChange: (state: SessionState) => void;
  now?: () => number;
}

const eventOf: Partial<Record<string, GameEvent>> = {
  [toHost.loaded]: 'game.loaded',
  [toHost.paused]: 'game.paused',
  [toHost.resumed]: 'game.resumed',
};

const knownMessages = new Set<string>(Object.values(toHost));
const nothing: SessionFacts = {
  loadedAtMs: null,
  cameBeforeLoaded: false,
  pause: null,
  resume: null,
  quit: null,
  scores: [],
  invalidScores: [],
  saves: 0,
  invalidData: [],
  hasFilledScreen: false,
  fillsScreen: null,
  errors: [],
  blocked: [],
  dropped: 0,
};

export const emptySession: SessionState = { facts: nothing, log: [] };

/** The most findings of one kind that are kept. */
const findingsMax = 20;

/**
 * One run of a game in a frame: reads its messages, answers them, and keeps the log and the facts for the checks.
 * Whatever a game sends, the work for a message is bounded, and so is what is kept.
 */
export class GameSession {
  private state = emptySession;
  private readonly startedAt: number;
  private readonly now: () => number;
  private nextId = 1;
  private saved: string | null;
  private second = { from: 0, messages: 0 };

  constructor(
    private readonly frame: Window,
    private readonly options: SessionOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.startedAt = this.now();
    this.saved = options.saved;
  }

  /** Handles a message event of the page: of this frame only, whatever it calls itself. */
  receive({ source, origin, data }: Pick<MessageEvent<unknown>, 'source' | 'origin' | 'data'>): void {
    if (source !== this.frame || typeof data !== 'object' || data === null) return;
    if ('playground' in data) {
      // A sandboxed sample has no origin.
      if (origin === (this.options.playgroundOrigin ?? 'null')) this.hear(data as FromPlayground);
      return;
    }
    const { event_type: type, payload } = data as { event_type?: unknown; payload?: unknown };
    if (typeof type !== 'string') return;
    if (this.isTooFast()) return this.update({ dropped: this.state.facts.dropped + 1 });
    if (!knownMessages.has(type)) {
      return this.write('fromGame', type.slice(0, 100), payload, 'No host knows this message');
    }
    this.handle(type, (payload ?? {}) as Record<string, unknown>);
  }

  pause(): void {
    this.send(toGame.pause);
    this.update({ pause: { askedAtMs: this.atMs(), isAnswered: false } });
  }

  resume(): void {
    this.send(toGame.resume);
    this.update({ resume: { askedAtMs: this.atMs(), isAnswered: false } });
  }

  quit(): void {
    this.send(toGame.quit);
    this.update({ quit: { askedAtMs: this.atMs(), overAfterMs: null, savedAfterMs: null } });
  }

  noteFullScreen(): void {
    this.update({ hasFilledScreen: true, fillsScreen: null });
  }

  judgeFullScreen(fillsScreen: boolean): void {
    this.update({ fillsScreen });
  }

  /** To the playground's own script in the frame, which the log leaves out. */
  tell(message: ToPlayground): void {
    // Without an origin for games there are no files to send.
    this.frame.postMessage(message, this.options.playgroundOrigin ?? '*');
  }

  private hear(message: FromPlayground): void {
    const { facts } = this.state;
    switch (message.playground) {
      case 'ready':
        return this.options.onReady();
      case 'failed':
        return this.options.onFailure(String(message.reason).slice(0, 300));
      case 'error': {
        const text = String(message.message).slice(0, 300);
        this.write('note', 'Error in the game', text);
        return this.update({ errors: [...facts.errors, text].slice(-findingsMax) });
      }
      case 'blocked': {
        const address = String(message.address).slice(0, 300);
        this.write('note', 'Request to another origin', address);
        return this.update({ blocked: [...new Set([...facts.blocked, address])].slice(-findingsMax) });
      }
    }
  }

  private handle(type: string, payload: Record<string, unknown>): void {
    const { facts } = this.state;
    const event = eventOf[type];
    if (event !== undefined) {
      this.write('fromGame', type);
      if (event === 'game.loaded') this.update({ loadedAtMs: facts.loadedAtMs ?? this.atMs() });
      if (event === 'game.paused' && facts.pause)
        this.update({ pause: { ...facts.pause, isAnswered: true } });
      if (event === 'game.resumed' && facts.resume)
        this.update({ resume: { ...facts.resume, isAnswered: true } });
      return this.options.onEvent(event);
    }
    if (type === toHost.over) return this.takeScore(payload['score']);
    if (type === toHost.save) return this.takeData(payload['data']);
    if (type === toHost.getData) return this.answerData(payload['defaultData']);
    this.write('fromGame', type, payload);
    this.send(toGame.host, { host: 'orange-id' });
  }

  private takeScore(score: unknown): void {
    const { facts } = this.state;
    if (typeof score !== 'number' || !Number.isFinite(score)) {
      const found = shortJson(score);
      this.write('fromGame', toHost.over, { score }, 'The score isn’t a finite number');
      return this.update({ invalidScores: [...facts.invalidScores, found].slice(-findingsMax) });
    }
    this.write('fromGame', toHost.over, { score });
    const quit = facts.quit && {
      ...facts.quit,
      overAfterMs: facts.quit.overAfterMs ?? this.atMs() - facts.quit.askedAtMs,
    };
    this.update({ scores: [...facts.scores, score].slice(-findingsMax), quit });
    this.noteOrder();
    this.options.onScore(score);
    this.options.onEvent('game.over');
  }

  private takeData(data: unknown): void {
    const { facts } = this.state;
    const json = jsonOf(data);
    if ('problem' in json) {
      this.write('fromGame', toHost.save, undefined, json.problem);
      return this.update({ invalidData: [...facts.invalidData, json.problem].slice(-findingsMax) });
    }
    this.write('fromGame', toHost.save, { data });
    this.saved = json.text;
    const quit = facts.quit && {
      ...facts.quit,
      savedAfterMs: facts.quit.savedAfterMs ?? this.atMs() - facts.quit.askedAtMs,
    };
    this.update({ saves: facts.saves + 1, quit });
    this.noteOrder();
    this.options.onSave(json.text);
    this.options.onEvent('game.saved');
  }

  private noteOrder(): void {
    const { loadedAtMs, quit } = this.state.facts;
    if (loadedAtMs === null && quit === null) this.update({ cameBeforeLoaded: true });
  }

  private answerData(defaults: unknown): void {
    const json = jsonOf(defaults);
    if ('problem' in json) {
      this.write('fromGame', toHost.getData, undefined, json.problem);
      this.update({ invalidData: [...this.state.facts.invalidData, json.problem].slice(-findingsMax) });
    } else this.write('fromGame', toHost.getData, { defaultData: defaults });
    // Never null, which the SDK of others throws on.
    const gameData: unknown = this.saved !== null ? JSON.parse(this.saved) : 'text' in json ? defaults : {};
    this.send(toGame.data, { gameData });
  }

  private send(type: ToGame, payload?: object): void {
    this.write('toGame', type, payload);
    // The game may be on any origin, and nothing secret is sent.
    this.frame.postMessage(payload === undefined ? { event_type: type } : { event_type: type, payload }, '*');
  }

  private isTooFast(): boolean {
    const at = this.now();
    if (at - this.second.from >= 1_000) this.second = { from: at, messages: 0 };
    return ++this.second.messages > playgroundLimits.messagesPerSecond;
  }

  private atMs(): number {
    return Math.round(this.now() - this.startedAt);
  }

  private write(direction: LogEntry['direction'], type: string, payload?: unknown, problem?: string): void {
    const entry: LogEntry = {
      id: this.nextId++,
      atMs: this.atMs(),
      direction,
      type,
      payload: payload === undefined ? '' : shortJson(payload),
      ...(problem === undefined ? {} : { problem }),
    };
    this.change({ ...this.state, log: [...this.state.log, entry].slice(-playgroundLimits.log) });
  }

  private update(facts: Partial<SessionFacts>): void {
    this.change({ ...this.state, facts: { ...this.state.facts, ...facts } });
  }

  private change(state: SessionState): void {
    this.state = state;
    this.options.onChange(state);
  }
}

/** The value as JSON, or why it can't be saved. A message can hold what JSON can't, such as a cycle. */
function jsonOf(value: unknown): { text: string } | { problem: string } {
  if (value === null || value === undefined) return { problem: 'The data is null' };
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    return { problem: 'The data isn’t JSON' };
  }
  if (text === undefined || text === 'null') return { problem: 'The data isn’t JSON' };
  const { length } = new TextEncoder().encode(text);
  if (length > gameLimits.dataBytes) {
    const most = gameLimits.dataBytes.toLocaleString('en');
    return { problem: `The data has ${length.toLocaleString('en')} bytes as JSON, more than ${most}` };
  }
  return { text };
}

function shortJson(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = 'not JSON';
  }
  return text.length > playgroundLimits.payload ? `${text.slice(0, playgroundLimits.payload)}…` : text;
}
