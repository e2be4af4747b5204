import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';
import { answerPatienceMs, NoAnswerError } from '../../api/no.answer';
import { VanishedError, type DialogProject } from './dialog.errors';

export interface UrlRemoval {
  project: DialogProject;
  url: string;
}

/** Why the removal can't continue: the project or the URL was deleted, or the URL is the project's last one. */
export type RemovalEnd = VanishedError['what'] | 'last';

interface RemoveUrlContext {
  /** Kept while the dialog closes, so that its text stays. */
  removal: UrlRemoval | null;
  end: RemovalEnd | null;
  failure: unknown;
}

type RemoveUrlEvent =
  | ({ type: 'url.remove' } & UrlRemoval)
  | { type: 'removal.confirm' }
  | { type: 'removal.cancel' }
  | { type: 'removal.vanish'; what: RemovalEnd };

export type RemoveUrlNotice = { type: 'url.removed' } | { type: 'removal.failed'; error: unknown };

const removeUrlSetup = setup({
  types: {
    context: {} as RemoveUrlContext,
    events: {} as RemoveUrlEvent,
    emitted: {} as RemoveUrlNotice,
  },
  actors: {
    removeUrl: fromPromise<void, UrlRemoval>(() => {
      throw new Error('removeUrl: removeUrl is not provided');
    }),
  },
  guards: { isVanished: (_, { error }: { error: unknown }) => error instanceof VanishedError },
  actions: {
    choose: assign((_, { project, url }: UrlRemoval) => ({
      removal: { project, url },
      end: null,
      failure: null,
    })),
    notice: assign((_, end: RemovalEnd) => ({ end, failure: null })),
    noticeError: assign((_, { error }: { error: unknown }) => ({
      end: error instanceof VanishedError ? error.what : 'url',
      failure: null,
    })),
    fail: enqueueActions(({ enqueue }, { error }: { error: unknown }) => {
      enqueue.assign({ failure: error });
      enqueue.emit({ type: 'removal.failed', error });
    }),
  },
  delays: { answerPatience: answerPatienceMs },
});

const opening = removeUrlSetup.createStateConfig({
  on: {
    'url.remove': {
      target: '#removeUrl.confirming',
      actions: { type: 'choose', params: ({ event }) => event },
    },
  },
});
const asking = removeUrlSetup.createStateConfig({
  on: {
    'removal.confirm': '#removeUrl.working',
    'removal.cancel': '#removeUrl.closed',
    'removal.vanish': {
      target: '#removeUrl.vanished',
      actions: { type: 'notice', params: ({ event }) => event.what },
    },
  },
});

/** Removes a URL from a project's allowed URLs after confirmation. A failure keeps the dialog open. */
export const removeUrlMachine = removeUrlSetup.createMachine({
  id: 'removeUrl',
  context: { removal: null, end: null, failure: null },
  initial: 'closed',
  states: {
    closed: opening,
    confirming: asking,
    working: {
      entry: assign({ failure: null }),
      invoke: {
        src: 'removeUrl',
        input: ({ context: { removal } }) => {
          if (!removal) throw new Error('removeUrl: nothing was chosen');
          return removal;
        },
        onDone: { target: 'succeeded', actions: emit({ type: 'url.removed' }) },
        onError: [
          {
            guard: { type: 'isVanished', params: ({ event }) => ({ error: event.error }) },
            target: 'vanished',
            actions: { type: 'noticeError', params: ({ event }) => ({ error: event.error }) },
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
    failed: asking,
    succeeded: opening,
    vanished: { on: { 'removal.cancel': 'closed' } },
  },
});
