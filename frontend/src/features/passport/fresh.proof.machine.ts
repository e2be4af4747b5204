import { emit, fromPromise, setup, type ActorRefFrom } from 'xstate';

/**
 * Tracks whether the user recently confirmed the account in this browser, which adding and removing sign-in methods
 * requires. It checks after the binding of the browser has succeeded or failed. The service decides: if the check
 * fails, the browser counts as confirmed until the service rejects a change.
 */
export const freshProofMachine = setup({
  types: {
    events: {} as { type: 'browser.settled' } | { type: 'proof.refused' } | { type: 'proof.made' },
    emitted: {} as { type: 'proof.made' } | { type: 'proof.wanted' },
  },
  actors: {
    readProof: fromPromise<boolean>(() => {
      throw new Error('freshProof: readProof is not provided');
    }),
  },
  guards: { isFresh: (_, isFresh: boolean) => isFresh },
}).createMachine({
  id: 'freshProof',
  initial: 'waiting',
  states: {
    waiting: { on: { 'browser.settled': 'checking' } },
    checking: {
      invoke: {
        src: 'readProof',
        onDone: [
          { guard: { type: 'isFresh', params: ({ event }) => event.output }, target: 'fresh' },
          { target: 'stale' },
        ],
        onError: 'fresh',
      },
      // The answer on its way may be about the browser before it was bound.
      on: { 'browser.settled': { target: 'checking', reenter: true } },
    },
    fresh: { on: { 'proof.refused': { target: 'stale', actions: emit({ type: 'proof.wanted' }) } } },
    stale: {
      on: {
        // A browser that was bound only now may hold a proof after all.
        'browser.settled': 'checking',
        'proof.refused': { actions: emit({ type: 'proof.wanted' }) },
        'proof.made': { target: 'fresh', actions: emit({ type: 'proof.made' }) },
      },
    },
  },
});

export type FreshProofActor = ActorRefFrom<typeof freshProofMachine>;
