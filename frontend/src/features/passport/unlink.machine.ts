import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { assign, emit, fromPromise, setup } from 'xstate';

interface UnlinkContext {
  /** What is to be removed; kept while the dialog closes, so that its words stay. */
  method: SignInMethod | null;
  failure: unknown;
}

type UnlinkEvent =
  { type: 'method.remove'; method: SignInMethod } | { type: 'removal.confirm' } | { type: 'removal.cancel' };

/** Taking away a way to sign in: asked for, confirmed, done; a failure keeps the dialog open. */
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
}).createMachine({
  id: 'unlink',
  context: { method: null, failure: null },
  initial: 'closed',
  states: {
    closed: {
      on: {
        'method.remove': {
          target: 'confirming',
          actions: assign(({ event }) => ({ method: event.method, failure: null })),
        },
      },
    },
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
        onError: { target: 'confirming', actions: assign({ failure: ({ event }) => event.error }) },
      },
    },
  },
});

function chosen({ method }: UnlinkContext): SignInMethod {
  if (!method) throw new Error('unlink: nothing was chosen');
  return method;
}
