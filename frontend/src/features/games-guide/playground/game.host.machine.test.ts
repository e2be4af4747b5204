import { describe, expect, test } from '@jest/globals';
import { gameLimits } from '@orange-id/contract/game.wire';
import { createActor, SimulatedClock, type EventFromLogic } from 'xstate';
import { gameHostMachine } from './game.host.machine';

type Event = EventFromLogic<typeof gameHostMachine>['type'];

function host() {
  const clock = new SimulatedClock();
  const actor = createActor(gameHostMachine, { clock }).start();
  return {
    clock,
    send: (...events: Event[]) => events.forEach((type) => actor.send({ type } as never)),
    state: () => actor.getSnapshot().value,
  };
}

describe('the host of a game', () => {
  test.each<[string, Event[], string]>([
    ['waits for the game to load', [], 'loading'],
    ['plays once it has loaded', ['game.loaded'], 'playing'],
    ['stays loading when a game pauses too early', ['game.paused', 'host.pause'], 'loading'],
    ['is over if a game sends a score without loading', ['game.over'], 'over'],
    ['pauses by the game', ['game.loaded', 'game.paused'], 'paused'],
    ['pauses by the host', ['game.loaded', 'host.pause'], 'paused'],
    ['goes on by the game', ['game.loaded', 'game.paused', 'game.resumed'], 'playing'],
    ['goes on by the host', ['game.loaded', 'host.pause', 'host.resume'], 'playing'],
    ['is over after a score', ['game.loaded', 'game.over'], 'over'],
    ['is over after a score while paused', ['game.loaded', 'game.paused', 'game.over'], 'over'],
    ['pauses after a score', ['game.loaded', 'game.over', 'host.pause'], 'paused'],
    ['pauses by the game after a score', ['game.loaded', 'game.over', 'game.paused'], 'paused'],
    ['plays another round', ['game.loaded', 'game.over', 'game.resumed'], 'playing'],
    ['says that nothing answers', ['host.unanswered'], 'unanswered'],
    ['plays once a late server has answered', ['host.unanswered', 'game.loaded'], 'playing'],
    ['stays playing if the server is found silent later', ['game.loaded', 'host.unanswered'], 'playing'],
    ['quits while loading', ['host.quit'], 'quitting'],
    ['asks once', ['game.loaded', 'host.quit', 'host.quit'], 'quitting'],
    ['waits for the data', ['game.loaded', 'host.quit', 'game.over'], 'quitting'],
    ['waits for the score', ['game.loaded', 'host.quit', 'game.saved'], 'quitting'],
    ['closes after score and data', ['game.loaded', 'host.quit', 'game.over', 'game.saved'], 'closed'],
    ['closes after data and score', ['game.loaded', 'host.quit', 'game.saved', 'game.over'], 'closed'],
    ['stays closed', ['host.quit', 'game.over', 'game.saved', 'game.loaded', 'host.quit'], 'closed'],
    ['quits while paused', ['game.loaded', 'host.pause', 'host.quit'], 'quitting'],
    ['quits after a score', ['game.loaded', 'game.over', 'host.quit'], 'quitting'],
  ])('%s', (_name, events, state) => {
    const { send, state: current } = host();
    send(...events);
    expect(current()).toBe(state);
  });

  test('removes a game that does not answer quit in two seconds', () => {
    const { send, state, clock } = host();
    send('game.loaded', 'host.quit', 'game.over');
    clock.increment(gameLimits.quitMs - 1);
    expect(state()).toBe('quitting');
    clock.increment(1);
    expect(state()).toBe('closed');
  });

  test('counts only what comes after quit', () => {
    const { send, state } = host();
    send('game.loaded', 'game.over', 'game.saved', 'host.quit', 'game.saved');
    expect(state()).toBe('quitting');
    send('game.over');
    expect(state()).toBe('closed');
  });
});
