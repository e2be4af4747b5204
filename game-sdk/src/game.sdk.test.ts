import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { gameLimits, toGame, toHost } from '@orange-id/contract/game.wire';
import { createGame, type GameError } from './game.sdk';
import type { Game, GameOptions, Json } from './game.sdk.types';

const host = 'https://play.example.com';

describe('a game in a frame', () => {
  let hostWindow: Window;
  let games: Game[];
  /** What the host received, and for which origin. */
  let received: { message: { event_type: string; payload?: unknown }; origin: string }[];
  beforeEach(() => {
    jest.useFakeTimers();
    // A window of its own, in place of the page around the game.
    const frame = document.body.appendChild(document.createElement('iframe'));
    hostWindow = frame.contentWindow as Window;
    received = [];
    games = [];
    hostWindow.postMessage = ((message: { event_type: string }, origin: string) =>
      received.push({ message: structuredClone(message), origin })) as typeof hostWindow.postMessage;
    jest.spyOn(window, 'parent', 'get').mockReturnValue(hostWindow);
  });
  afterEach(() => {
    for (const game of games) game.close();
    document.body.replaceChildren();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const open = (options?: GameOptions): Game => {
    const game = createGame(options);
    games.push(game);
    return game;
  };
  const types = () => received.map(({ message }) => message.event_type);
  const from = (event_type: unknown, payload?: unknown, origin = host, source: Window = hostWindow) =>
    window.dispatchEvent(new MessageEvent('message', { data: { event_type, payload }, origin, source }));
  const settle = async () => void (await jest.advanceTimersByTimeAsync(0));

  test('reports loading, pausing and resuming in the words of the wire', async () => {
    const game = open();
    await game.gameLoaded();
    await game.gamePaused();
    await game.gameResumed();
    expect(types()).toEqual([
      'ORANGE_SDK_HELLO',
      'GG_GAME_LOAD_FINISHED',
      'GG_PAUSED_FROM_GAME',
      'GG_RESUMED_FROM_GAME',
    ]);
    expect(received[1]).toEqual({ message: { event_type: toHost.loaded }, origin: '*' });
  });

  test('sends a score and data only once it has loaded, in their order', async () => {
    const game = open();
    const sent = [game.gameOver(7), game.saveGameData({ best: 7 })];
    await settle();
    expect(types()).toEqual([toHost.hello]);
    await game.gameLoaded();
    await Promise.all(sent);
    expect(received.slice(1).map(({ message }) => message)).toEqual([
      { event_type: 'GG_GAME_LOAD_FINISHED' },
      { event_type: 'GG_GAME_OVER', payload: { score: 7 } },
      { event_type: 'GG_UPDATE_GAME_DATA', payload: { data: { best: 7 } } },
    ]);
  });

  test('sends a score five seconds later if it never reports that it has loaded', async () => {
    const game = open();
    const sent = game.gameOver(7);
    await jest.advanceTimersByTimeAsync(gameLimits.loadedMs - 1);
    expect(types()).toEqual([toHost.hello]);
    await jest.advanceTimersByTimeAsync(1);
    await sent;
    expect(types()).toEqual([toHost.hello, toHost.over]);
  });

  test('saves a copy of the data as it is when it is saved', async () => {
    const game = open();
    const data = { best: 1 };
    const sent = game.saveGameData(data);
    data.best = 2;
    await game.gameLoaded();
    await sent;
    expect(received.at(-1)?.message.payload).toEqual({ data: { best: 1 } });
  });

  test('asks for data before it has loaded, once for all who wait, and once more afterwards', async () => {
    const game = open();
    const callback = jest.fn();
    const answers = Promise.all([game.getGameData({ best: 0 }, callback), game.getGameData({ best: 1 })]);
    await settle();
    expect(received.slice(1).map(({ message }) => message)).toEqual([
      { event_type: 'GG_GET_GAME_DATA', payload: { defaultData: { best: 0 } } },
    ]);
    from('GG_SET_GAME_DATA', { gameData: { best: 40 } });
    expect(await answers).toEqual([{ best: 40 }, { best: 40 }]);
    expect(callback.mock.calls).toEqual([[{ best: 40 }]]);
    const again = game.getGameData({ best: 0 });
    from(toGame.data, { gameData: { best: 41 } });
    expect(await again).toEqual({ best: 41 });
    expect(types().filter((type) => type === toHost.getData)).toHaveLength(2);
  });

  test('gives each caller its own defaults if the host has nothing', async () => {
    const game = open();
    const answers = Promise.all([game.getGameData({ best: 0 }), game.getGameData('new')]);
    await settle();
    from(toGame.data, { gameData: null });
    expect(await answers).toEqual([{ best: 0 }, 'new']);
  });

  test('refuses all who wait if the host sends no data in time, and asks again the next time', async () => {
    const game = open();
    const refusals = Promise.allSettled([game.getGameData(1), game.getGameData(2)]);
    await jest.advanceTimersByTimeAsync(gameLimits.dataMs);
    for (const refusal of await refusals) {
      expect((refusal as PromiseRejectedResult).reason).toMatchObject({
        code: 'noAnswer',
        message: 'The host sent no game data within 5 seconds',
      });
    }
    const again = game.getGameData(3);
    from(toGame.data, { gameData: 4 });
    expect(await again).toBe(4);
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'The data to save must not be null'],
    ['undefined', undefined, 'The data to save must not be undefined'],
    ['a function', () => 1, 'The data to save isn’t JSON: it is a function'],
    ['NaN', NaN, 'The data to save isn’t JSON: it is NaN'],
    ['a big integer', 1n, 'The data to save isn’t JSON: Do not know how to serialize a BigInt'],
    ['too much', 'é'.repeat(33_000), 'The data to save has 66002 bytes as JSON, more than 65536'],
  ])('refuses %s as data and sends nothing', async (_name, data, message) => {
    const game = open();
    await game.gameLoaded();
    await expect(game.saveGameData(data as Json)).rejects.toMatchObject({ code: 'invalidData', message });
    expect(types()).toEqual([toHost.hello, toHost.loaded]);
  });

  test('refuses cyclic data and null as defaults', async () => {
    const game = open();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    await expect(game.saveGameData(cycle as Json)).rejects.toMatchObject({ code: 'invalidData' });
    await expect(game.getGameData(null)).rejects.toMatchObject({
      message: 'The default data must not be null',
    });
    expect(types()).toEqual([toHost.hello]);
  });

  test.each([NaN, Infinity, '7', null, undefined])('refuses %p as a score', async (score) => {
    const game = open();
    await game.gameLoaded();
    await expect(game.gameOver(score as number)).rejects.toMatchObject({
      code: 'invalidScore',
      message: `The score must be a finite number, not ${String(score)}`,
    });
    expect(types()).toEqual([toHost.hello, toHost.loaded]);
  });

  test('tells every listener of pause, resume and quit, and none that was removed', () => {
    const game = open();
    const heard: string[] = [];
    const first = () => heard.push('first');
    const remove = game.on('pause', first as () => void);
    game.on('pause', () => heard.push('second'));
    game.on('resume', () => heard.push('resumed'));
    game.on('quit', () => heard.push('quit'));
    from(toGame.pause);
    from(toGame.resume);
    from(toGame.quit);
    remove();
    from(toGame.pause);
    expect(heard).toEqual(['first', 'second', 'resumed', 'quit', 'second']);
  });

  test('answers quit with its score and then its data, also before it has loaded', async () => {
    const game = open();
    game.onQuit(() => Promise.reject(new Error('replaced')));
    game.onQuit(async () => ({ score: 3, data: { coins: 2 } }));
    from(toGame.quit);
    await settle();
    expect(received.slice(1).map(({ message }) => message)).toEqual([
      { event_type: 'GG_GAME_OVER', payload: { score: 3 } },
      { event_type: 'GG_UPDATE_GAME_DATA', payload: { data: { coins: 2 } } },
    ]);
  });

  test('answers quit with a score alone if there is no data', async () => {
    const game = open();
    game.onQuit(() => ({ score: 0 }));
    from(toGame.quit);
    await settle();
    expect(types()).toEqual([toHost.hello, toHost.over]);
  });

  test('throws the error of a quit handler and of a listener where error reporting finds it', async () => {
    const game = open();
    const heard = jest.fn();
    game.on('pause', () => {
      throw new Error('a listener failed');
    });
    game.on('pause', heard);
    from(toGame.pause);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(() => jest.advanceTimersByTime(0)).toThrow('a listener failed');
    game.onQuit(() => ({ score: NaN }));
    from(toGame.quit);
    await Promise.resolve().then(() => undefined);
    expect(() => jest.advanceTimersByTime(0)).toThrow('The score must be a finite number, not NaN');
    expect(types()).toEqual([toHost.hello]);
  });

  test('learns its host by name, and from then on sends to that origin only', async () => {
    const game = open();
    expect(game.host).toBeNull();
    from(toGame.host, { host: 'orange-id' });
    expect(await game.whenHostKnown).toBe('orange-id');
    expect(game.host).toBe('orange-id');
    await game.gameLoaded();
    expect(received.at(-1)?.origin).toBe(host);
  });

  test('works the same where no host names itself within a second', async () => {
    const game = open();
    await jest.advanceTimersByTimeAsync(gameLimits.helloMs);
    expect(await game.whenHostKnown).toBe('unknown');
    await game.gameLoaded();
    expect(received.at(-1)).toEqual({ message: { event_type: toHost.loaded }, origin: '*' });
    from(toGame.host, { host: 'late' });
    expect(game.host).toBe('unknown');
  });

  test('ignores messages from other windows, from other origins, and those that mean nothing', async () => {
    const game = open({ hostOrigin: `${host}/any/path` });
    const paused = jest.fn();
    game.on('pause', paused);
    const other = document.body.appendChild(document.createElement('iframe')).contentWindow as Window;
    from(toGame.pause, undefined, host, other);
    from(toGame.pause, undefined, host, window);
    from(toGame.pause, undefined, 'https://elsewhere.example.com');
    for (const data of [null, 'text', 7, {}, { event_type: 'constructor' }, { event_type: ['pause'] }]) {
      window.dispatchEvent(new MessageEvent('message', { data, origin: host, source: hostWindow }));
    }
    expect(paused).not.toHaveBeenCalled();
    from(toGame.pause);
    expect(paused).toHaveBeenCalledTimes(1);
    await game.gameLoaded();
    expect(received.at(-1)?.origin).toBe(host);
  });

  test('names a host origin that is no URL', () => {
    expect(() => createGame({ hostOrigin: 'play' })).toThrow(/Invalid URL/);
  });

  test('hears nothing after it is closed', () => {
    const game = open();
    const paused = jest.fn();
    game.on('pause', paused);
    game.close();
    from(toGame.pause);
    expect(paused).not.toHaveBeenCalled();
  });
});

test('outside a frame every call says so, and nothing is sent', async () => {
  const post = jest.spyOn(window, 'postMessage');
  const game = createGame();
  expect(await game.whenHostKnown).toBe('unknown');
  const calls = [
    game.gameLoaded(),
    game.gamePaused(),
    game.gameResumed(),
    game.gameOver(1),
    game.saveGameData(1),
    game.getGameData(1),
  ];
  for (const refusal of await Promise.allSettled(calls)) {
    expect((refusal as PromiseRejectedResult).reason as GameError).toMatchObject({
      code: 'noFrame',
      message:
        'The game isn’t in a frame, so it has no host. Open it in the playground of the game SDK guide',
    });
  }
  expect(post).not.toHaveBeenCalled();
  post.mockRestore();
});
