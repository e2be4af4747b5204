import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { toGame, toHost } from '@orange-id/contract/game.wire';
import { gameExamples, gameScriptExample } from '@orange-id/contract/games.guide';
import { createGame } from './game.sdk';
import type { Game } from './game.sdk.types';

/** What an example of the guide expects in the game around it. */
type Surroundings = Record<string, unknown>;

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** Runs an example as the body of a module that has these names. */
const run = (code: string, surroundings: Surroundings): Promise<unknown> =>
  new AsyncFunction(...Object.keys(surroundings), code)(...Object.values(surroundings));

let hostWindow: Window;
let received: { event_type: string; payload?: unknown }[];
let game: Game;
beforeEach(async () => {
  hostWindow = document.body.appendChild(document.createElement('iframe')).contentWindow as Window;
  received = [];
  hostWindow.postMessage = ((message: { event_type: string }) => {
    received.push(message);
    // A host that has kept the data of an earlier visit.
    if (message.event_type === toHost.getData) answer(toGame.data, { gameData: { best: 3, coins: 8 } });
  }) as typeof hostWindow.postMessage;
  jest.spyOn(window, 'parent', 'get').mockReturnValue(hostWindow);
  const module = gameExamples.create.replace(/^import .*;$/m, '').replace('export const game =', 'return');
  game = (await run(module, { createGame })) as Game;
});
afterEach(() => {
  game.close();
  document.body.replaceChildren();
  jest.restoreAllMocks();
});

const answer = (event_type: string, payload?: object) =>
  window.dispatchEvent(new MessageEvent('message', { data: { event_type, payload }, source: hostWindow }));
const sent = () => received.slice(1);

test('the example that loads a game shows what was saved, then reports that it has loaded', async () => {
  const showBest = jest.fn();
  await run(gameExamples.load, { game, showBest });
  expect(showBest).toHaveBeenCalledWith(3);
  expect(sent().map(({ event_type }) => event_type)).toEqual([toHost.getData, toHost.loaded]);
});

test('the example of the end of a round sends the score, and saves a better one', async () => {
  await game.gameLoaded();
  const saved = { best: 3 };
  await run(`${gameExamples.over}\nawait endRound(2);\nawait endRound(5);`, { game, saved });
  expect(sent().slice(1)).toEqual([
    { event_type: toHost.over, payload: { score: 2 } },
    { event_type: toHost.over, payload: { score: 5 } },
    { event_type: toHost.save, payload: { data: { best: 5 } } },
  ]);
});

test('the example of pausing stops and starts the clock for the host, and tells the host of the player', async () => {
  const [stopTheClock, startTheClock] = [jest.fn(), jest.fn()];
  const pauseButton = document.createElement('button');
  await run(gameExamples.pause, { game, stopTheClock, startTheClock, pauseButton });
  answer(toGame.pause);
  answer(toGame.resume);
  expect([stopTheClock, startTheClock].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  expect(sent()).toEqual([{ event_type: toHost.paused }, { event_type: toHost.resumed }]);
  pauseButton.click();
  expect(stopTheClock).toHaveBeenCalledTimes(2);
  expect(sent().slice(2)).toEqual([{ event_type: toHost.paused }]);
});

test('the example of quitting sends the score and the data', async () => {
  await run(gameExamples.quit, { game, currentScore: () => 7, saved: { best: 7 } });
  answer(toGame.quit);
  await Promise.resolve();
  await Promise.resolve();
  expect(sent()).toEqual([
    { event_type: toHost.over, payload: { score: 7 } },
    { event_type: toHost.save, payload: { data: { best: 7 } } },
  ]);
});

test('the example of errors shows the code and the message', async () => {
  const showProblem = jest.fn();
  await run(gameExamples.errors, { game, saved: null, showProblem });
  expect(showProblem).toHaveBeenCalledWith('invalidData', 'The data to save must not be null');
});

test('the example page loads the build file and creates a game', async () => {
  const page = new DOMParser().parseFromString(gameScriptExample('https://portal.example.com'), 'text/html');
  const [file, script] = [...page.scripts];
  expect(file?.src).toBe('https://portal.example.com/sdk/orange-game.js');
  await import('./script');
  const { OrangeGame } = window as unknown as Surroundings;
  await run(String(script?.textContent), { OrangeGame });
  expect(received.filter(({ event_type }) => event_type === toHost.hello)).toHaveLength(2);
});
