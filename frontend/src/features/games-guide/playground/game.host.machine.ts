import { gameLimits } from '@orange-id/contract/game.wire';
import { assign, setup } from 'xstate';

/**
 * The lifecycle of one run of a game in the playground, as its host sees it. A game that was asked to quit is removed once it has
 * sent game over and its data, or two seconds later. A local address where nothing answers may still answer later.
 */
export const gameHostMachine = setup({
  types: {
    context: {} as { hasScore: boolean; hasData: boolean },
    events: {} as
      | { type: 'game.loaded' }
      | { type: 'game.paused' }
      | { type: 'game.resumed' }
      | { type: 'game.over' }
      | { type: 'game.saved' }
      | { type: 'host.pause' }
      | { type: 'host.resume' }
      | { type: 'host.quit' }
      | { type: 'host.unanswered' },
  },
  delays: { quitPatience: gameLimits.quitMs },
  actions: {
    noteScore: assign({ hasScore: true }),
    noteData: assign({ hasData: true }),
  },
  guards: {
    hasScore: ({ context }) => context.hasScore,
    hasData: ({ context }) => context.hasData,
  },
}).createMachine({
  id: 'gameHost',
  context: { hasScore: false, hasData: false },
  initial: 'loading',
  on: { 'host.quit': '.quitting' },
  states: {
    loading: { on: { 'game.loaded': 'playing', 'game.over': 'over', 'host.unanswered': 'unanswered' } },
    unanswered: { on: { 'game.loaded': 'playing', 'game.over': 'over' } },
    playing: {
      on: { 'game.paused': 'paused', 'host.pause': 'paused', 'game.over': 'over' },
    },
    paused: {
      on: { 'game.resumed': 'playing', 'host.resume': 'playing', 'game.over': 'over' },
    },
    over: {
      on: { 'game.resumed': 'playing', 'game.paused': 'paused', 'host.pause': 'paused' },
    },
    quitting: {
      on: {
        'host.quit': {},
        'game.over': [{ guard: 'hasData', target: 'closed' }, { actions: 'noteScore' }],
        'game.saved': [{ guard: 'hasScore', target: 'closed' }, { actions: 'noteData' }],
      },
      after: { quitPatience: 'closed' },
    },
    closed: { on: { 'host.quit': {} } },
  },
});
