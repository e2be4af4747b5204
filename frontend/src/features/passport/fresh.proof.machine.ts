import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { assign, emit, fromPromise, setup, type ActorRefFrom } from 'xstate';

/** The method that the user chose to add; `null` if there is none. */
export type WantedMethod = SignInMethod['provider'] | null;

/**
 * Actions for a change that the service rejected because the user has not confirmed the account recently. The change
 * waits for the confirmation.
 */
const refuse = [
  {
    type: 'keepWanted',
    params: ({ event }: { event: { wanted: WantedMethod } }) => ({ wanted: event.wanted }),
  },
  'askForProof',
] as const;

/**
 * Tracks whether the user recently confirmed the account in this browser, which adding and removing sign-in methods
 * requires. It checks after the binding of the browser has succeeded or failed. The service decides: if the check
 * fails, the browser counts as confirmed until the service rejects a change. The method to add is kept
 * across the confirmation, so that the user chooses it once.
 */
export const freshProofMachine = setup({
  types: {
    context: {} as { wanted: WantedMethod },
    input: {} as { wanted: WantedMethod },
    events: {} as
      { type: 'browser.settled' } | { type: 'proof.refused'; wanted: WantedMethod } | { type: 'proof.made' },
    emitted: {} as { type: 'proof.made' } | { type: 'proof.wanted' },
    tags: {} as 'busy',
  },
  actors: {
    readProof: fromPromise<boolean>(() => {
      throw new Error('freshProof: readProof is not provided');
    }),
  },
  actions: {
    keepWanted: assign((_, { wanted }: { wanted: WantedMethod }) => ({ wanted })),
    askForProof: emit({ type: 'proof.wanted' }),
  },
  guards: { isFresh: (_, isFresh: boolean) => isFresh },
}).createMachine({
  id: 'freshProof',
  context: ({ input }) => ({ wanted: input.wanted }),
  initial: 'waiting',
  states: {
    waiting: { tags: 'busy', on: { 'browser.settled': 'checking' } },
    checking: {
      tags: 'busy',
      invoke: {
        src: 'readProof',
        onDone: [
          { guard: { type: 'isFresh', params: ({ event }) => event.output }, target: 'fresh' },
          { target: 'stale' },
        ],
        onError: 'fresh',
      },
      // The pending response may describe the browser before it was bound.
      on: { 'browser.settled': { target: 'checking', reenter: true } },
    },
    fresh: { on: { 'proof.refused': { target: 'stale', actions: refuse } } },
    stale: {
      on: {
        // A newly bound browser may have a proof.
        'browser.settled': 'checking',
        'proof.refused': { actions: refuse },
        'proof.made': { target: 'fresh', actions: emit({ type: 'proof.made' }) },
      },
    },
  },
});

export type FreshProofActor = ActorRefFrom<typeof freshProofMachine>;
