import { assign, emit, enqueueActions, fromPromise, or, setup } from 'xstate';
import { isVanished } from '../../api/vanished.error';
import { failureOf } from '../../ui/submission';
import { EmptyKeyError, mayHaveSucceeded, type DialogProject } from './dialog.errors';

interface UpdateKeyContext {
  project: DialogProject | null;
  /** The generated key while it is shown. */
  newKey: string | null;
  isCopied: boolean;
  /** The project's key in the list before the attempt. */
  listedKey: string | null;
  /** Why the shown key no longer works. */
  outdated: 'replaced' | 'deleted' | null;
  failure: unknown;
}

type UpdateKeyEvent =
  | { type: 'key.update'; project: DialogProject | null }
  | { type: 'update.confirm' }
  | { type: 'update.cancel' }
  | { type: 'project.vanish' }
  /** The project's current key in the list. */
  | { type: 'key.change'; apiKey: string }
  | { type: 'key.copied' }
  /** The user may be leaving by accident: by Escape, a click outside the dialog or another page. */
  | { type: 'dialog.leave' }
  | { type: 'key.keep' }
  | { type: 'key.dismiss' };

export type UpdateKeyNotice =
  | { type: 'project.missing' }
  | { type: 'key.updated'; key: string }
  | { type: 'update.failed'; error: unknown };

const noKey = { newKey: null, isCopied: false, listedKey: null, outdated: null, failure: null };

const updateKeySetup = setup({
  types: {
    context: {} as UpdateKeyContext,
    events: {} as UpdateKeyEvent,
    emitted: {} as UpdateKeyNotice,
    tags: {} as 'busy' | 'gone',
  },
  actors: {
    rotateKey: fromPromise<string, DialogProject>(() => {
      throw new Error('updateKey: rotateKey is not provided');
    }),
  },
  guards: {
    hasProject: ({ event }) => event.type === 'key.update' && event.project !== null,
    hasNewKey: (_, key: string) => key !== '',
    /**
     * The list shows a new key after an attempt whose outcome is unknown: the attempt succeeded, and only its response
     * was lost.
     */
    isMadeKey: ({ context: { failure, listedKey } }, key: string) =>
      mayHaveSucceeded(failure) && listedKey !== null && key !== listedKey && key !== '',
    isVanished: (_, error: unknown) => isVanished(error),
    isCopied: ({ context }) => context.isCopied,
    isOutdated: ({ context }) => context.outdated !== null,
  },
  actions: {
    show: enqueueActions(({ enqueue }, key: string) => {
      enqueue.assign({ newKey: key, failure: null });
      enqueue.emit({ type: 'key.updated', key });
    }),
    /** A list that still has the old key was fetched before the change, so it doesn't make the new key outdated. */
    compare: assign(({ context: { newKey, listedKey } }, key: string) => ({
      outdated: key === newKey || key === listedKey ? null : 'replaced',
    })),
    fail: enqueueActions(({ enqueue }, error: unknown) => {
      enqueue.assign({ failure: error });
      enqueue.emit({ type: 'update.failed', error });
    }),
  },
});

const asking = updateKeySetup.createStateConfig({
  on: {
    'update.confirm': '#updateKey.working',
    'update.cancel': '#updateKey.closed',
    'project.vanish': '#updateKey.vanished',
    'key.change': { actions: assign({ listedKey: ({ event }) => event.apiKey }) },
  },
});

/**
 * Replaces a project's API key after confirmation, then shows the new key. Until the key is copied or outdated, leaving
 * the dialog must be confirmed.
 */
export const updateKeyMachine = updateKeySetup.createMachine({
  id: 'updateKey',
  context: { project: null, ...noKey },
  initial: 'closed',
  states: {
    closed: {
      entry: assign(noKey),
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
    confirming: asking,
    working: {
      tags: 'busy',
      entry: assign({ failure: null }),
      invoke: {
        src: 'rotateKey',
        input: ({ context }) => chosen(context),
        onDone: [
          {
            guard: { type: 'hasNewKey', params: ({ event }) => event.output },
            target: 'succeeded',
            actions: { type: 'show', params: ({ event }) => event.output },
          },
          { target: 'failed', actions: { type: 'fail', params: () => new EmptyKeyError() } },
        ],
        onError: [
          { guard: { type: 'isVanished', params: failureOf }, target: 'vanished' },
          { target: 'failed', actions: { type: 'fail', params: failureOf } },
        ],
      },
    },
    failed: {
      on: {
        ...asking.on,
        'key.change': [
          {
            guard: { type: 'isMadeKey', params: ({ event }) => event.apiKey },
            target: 'succeeded',
            actions: { type: 'show', params: ({ event }) => event.apiKey },
          },
          { actions: assign({ listedKey: ({ event }) => event.apiKey }) },
        ],
      },
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
          on: {
            'dialog.leave': [
              { guard: or(['isCopied', 'isOutdated']), target: '#updateKey.closed' },
              { target: 'asking' },
            ],
          },
        },
        asking: { on: { 'key.keep': 'shown' } },
      },
    },
    vanished: { tags: 'gone', on: { 'update.cancel': 'closed' } },
  },
});

function chosen({ project }: UpdateKeyContext): DialogProject {
  if (!project) throw new Error('updateKey: no project was chosen');
  return project;
}
