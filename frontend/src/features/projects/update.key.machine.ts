import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';
import { answerPatienceMs, NoAnswerError } from '../../api/no.answer';
import { EmptyKeyError, VanishedError, type DialogProject } from './dialog.errors';

interface UpdateKeyContext {
  project: DialogProject | null;
  /** The generated key, for as long as it is shown. */
  newKey: string | null;
  isCopied: boolean;
  /** Why the key that is shown is refused already. */
  outdated: 'replaced' | 'deleted' | null;
  failure: unknown;
}

type UpdateKeyEvent =
  | { type: 'key.update'; project: DialogProject | null }
  | { type: 'update.confirm' }
  | { type: 'update.cancel' }
  | { type: 'project.vanish' }
  /** The project's key as the list has it now. */
  | { type: 'key.change'; apiKey: string }
  | { type: 'key.copied' }
  /** The dialog is being left without saying so on purpose: by Escape, a click beside it, another page. */
  | { type: 'dialog.leave' }
  | { type: 'key.keep' }
  | { type: 'key.dismiss' };

export type UpdateKeyNotice =
  | { type: 'project.missing' }
  | { type: 'key.updated'; key: string }
  | { type: 'update.failed'; error: unknown };

/** A new key for a project (spec §4): asked for, made once, and shown until it was copied or is dismissed on purpose. */
export const updateKeyMachine = setup({
  types: {
    context: {} as UpdateKeyContext,
    events: {} as UpdateKeyEvent,
    emitted: {} as UpdateKeyNotice,
  },
  actors: {
    rotateKey: fromPromise<string, DialogProject>(() => {
      throw new Error('updateKey: rotateKey is not provided');
    }),
  },
  guards: {
    hasProject: ({ event }) => event.type === 'key.update' && event.project !== null,
    hasNewKey: (_, key: string) => key !== '',
    isVanished: (_, { error }: { error: unknown }) => error instanceof VanishedError,
    isCopied: ({ context }) => context.isCopied,
  },
  actions: {
    /** A list read too early is made good by the next one. */
    compare: assign(({ context }, key: string) => ({ outdated: key === context.newKey ? null : 'replaced' })),
    fail: enqueueActions(({ enqueue }, { error }: { error: unknown }) => {
      enqueue.assign({ failure: error });
      enqueue.emit({ type: 'update.failed', error });
    }),
  },
  delays: { answerPatience: answerPatienceMs },
}).createMachine({
  id: 'updateKey',
  context: { project: null, newKey: null, isCopied: false, outdated: null, failure: null },
  initial: 'closed',
  states: {
    closed: {
      entry: assign({ newKey: null, isCopied: false, outdated: null, failure: null }),
      on: {
        'key.update': [
          {
            guard: 'hasProject',
            target: 'confirming',
            actions: assign({ project: ({ event }) => event.project }),
          },
          { actions: emit({ type: 'project.missing' }) },
        ],
      },
    },
    confirming: {
      on: { 'update.confirm': 'working', 'update.cancel': 'closed', 'project.vanish': 'vanished' },
    },
    working: {
      entry: assign({ failure: null }),
      invoke: {
        src: 'rotateKey',
        input: ({ context }) => chosen(context),
        onDone: [
          {
            guard: { type: 'hasNewKey', params: ({ event }) => event.output },
            target: 'succeeded',
            actions: [
              assign({ newKey: ({ event }) => event.output }),
              emit(({ event }) => ({ type: 'key.updated', key: event.output })),
            ],
          },
          { target: 'failed', actions: { type: 'fail', params: () => ({ error: new EmptyKeyError() }) } },
        ],
        onError: [
          {
            guard: { type: 'isVanished', params: ({ event }) => ({ error: event.error }) },
            target: 'vanished',
          },
          { target: 'failed', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        ],
      },
      after: {
        answerPatience: {
          target: 'failed',
          actions: { type: 'fail', params: () => ({ error: new NoAnswerError() }) },
        },
      },
    },
    failed: {
      on: { 'update.confirm': 'working', 'update.cancel': 'closed', 'project.vanish': 'vanished' },
    },
    succeeded: {
      initial: 'shown',
      on: {
        'key.copied': { target: '.shown', actions: assign({ isCopied: true }) },
        'key.change': { actions: { type: 'compare', params: ({ event }) => event.apiKey } },
        'project.vanish': { actions: assign({ outdated: 'deleted' }) },
        'key.dismiss': 'closed',
      },
      states: {
        shown: {
          on: { 'dialog.leave': [{ guard: 'isCopied', target: '#updateKey.closed' }, { target: 'asking' }] },
        },
        asking: { on: { 'key.keep': 'shown' } },
      },
    },
    vanished: { on: { 'update.cancel': 'closed' } },
  },
});

function chosen({ project }: UpdateKeyContext): DialogProject {
  if (!project) throw new Error('updateKey: no project was chosen');
  return project;
}
