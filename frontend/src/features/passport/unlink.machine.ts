import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { assign, emit, fromPromise, setup } from 'xstate';
import { HttpError } from '../../api/http';

interface UnlinkContext {
  /** The method to remove; kept while the dialog closes, so that its text stays. */
  method: SignInMethod | null;
  failure: unknown;
}

type UnlinkEvent =
  | { type: 'method.remove'; method: SignInMethod }
  | { type: 'removal.confirm' }
  | { type: 'removal.cancel' }
  | { type: 'proof.made' };

const toConfirming = {
  target: 'confirming',
  actions: { type: 'chooseMethod', params: ({ event }: { event: { method: SignInMethod } }) => event },
} as const;

/**
 * Removes a sign-in method after confirmation. A failure keeps the dialog open. If the service requires the user to
 * confirm the account first, the dialog closes for that, and the removal continues afterwards.
 */
export const unlinkMachine = setup({
  types: {
    context: {} as UnlinkContext,
    events: {} as UnlinkEvent,
    emitted: {} as { type: 'method.removed'; method: SignInMethod },
  },
  actors: {
    removeMethod: fromPromise<void, SignInMethod>(() => {
      throw new Error('unlink: removeMethod is not provided');
    }),
  },
  actions: {
    chooseMethod: assign((_, { method }: { method: SignInMethod }) => ({ method, failure: null })),
  },
  guards: {
    isProofRequired: (_, error: unknown) => error instanceof HttpError && error.code === 'auth.proofRequired',
  },
}).createMachine({
  id: 'unlink',
  context: { method: null, failure: null },
  initial: 'closed',
  states: {
    closed: { on: { 'method.remove': toConfirming } },
    confirming: { on: { 'removal.confirm': 'removing', 'removal.cancel': 'closed' } },
    removing: {
      entry: assign({ failure: null }),
      invoke: {
        src: 'removeMethod',
        input: ({ context }) => chosen(context),
        onDone: {
          target: 'closed',
          actions: emit(({ context }) => ({ type: 'method.removed', method: chosen(context) })),
        },
        onError: [
          {
            guard: {
              type: 'isProofRequired',
              params: ({ event }: { event: { error: unknown } }) => event.error,
            },
            target: 'unproven',
          },
          { target: 'confirming', actions: assign({ failure: ({ event }) => event.error }) },
        ],
      },
    },
    unproven: { on: { 'proof.made': 'removing', 'removal.cancel': 'closed', 'method.remove': toConfirming } },
  },
});

function chosen({ method }: UnlinkContext): SignInMethod {
  if (!method) throw new Error('unlink: nothing was chosen');
  return method;
}
