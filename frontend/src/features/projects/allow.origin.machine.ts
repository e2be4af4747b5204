import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';
import { answerPatienceMs, NoAnswerError } from '../../api/no.answer';
import { VanishedError, type DialogProject } from './dialog.errors';

export interface OriginAllowance {
  project: DialogProject;
  /** Normalised. */
  url: string;
}

interface AllowOriginContext {
  /** Kept while the dialog closes, so that its text stays. */
  allowance: OriginAllowance | null;
  /** Why it can't continue: the project was deleted, or the URL was added elsewhere. */
  end: 'project' | 'url' | null;
  failure: unknown;
}

type AllowOriginEvent =
  | ({ type: 'origin.allow' } & OriginAllowance)
  | { type: 'allowance.confirm' }
  | { type: 'allowance.cancel' }
  | { type: 'allowance.vanish'; what: 'project' | 'url' };

export type AllowOriginNotice = { type: 'origin.allowed' } | { type: 'allowance.failed'; error: unknown };

const allowOriginSetup = setup({
  types: {
    context: {} as AllowOriginContext,
    events: {} as AllowOriginEvent,
    emitted: {} as AllowOriginNotice,
  },
  actors: {
    saveUrl: fromPromise<void, OriginAllowance>(() => {
      throw new Error('allowOrigin: saveUrl is not provided');
    }),
  },
  guards: { isVanished: (_, { error }: { error: unknown }) => error instanceof VanishedError },
  actions: {
    choose: assign((_, { project, url }: OriginAllowance) => ({
      allowance: { project, url },
      end: null,
      failure: null,
    })),
    notice: assign((_, end: 'project' | 'url') => ({ end, failure: null })),
    fail: enqueueActions(({ enqueue }, { error }: { error: unknown }) => {
      enqueue.assign({ failure: error });
      enqueue.emit({ type: 'allowance.failed', error });
    }),
  },
  delays: { answerPatience: answerPatienceMs },
});

const opening = allowOriginSetup.createStateConfig({
  on: {
    'origin.allow': {
      target: '#allowOrigin.confirming',
      actions: { type: 'choose', params: ({ event }) => event },
    },
  },
});
const asking = allowOriginSetup.createStateConfig({
  on: {
    'allowance.confirm': '#allowOrigin.working',
    'allowance.cancel': '#allowOrigin.closed',
    'allowance.vanish': {
      target: '#allowOrigin.vanished',
      actions: { type: 'notice', params: ({ event }) => event.what },
    },
  },
});

/** Adds a blocked origin to its project's allowed URLs after confirmation. A failure keeps the dialog open. */
export const allowOriginMachine = allowOriginSetup.createMachine({
  id: 'allowOrigin',
  context: { allowance: null, end: null, failure: null },
  initial: 'closed',
  states: {
    closed: opening,
    confirming: asking,
    working: {
      entry: assign({ failure: null }),
      invoke: {
        src: 'saveUrl',
        input: ({ context: { allowance } }) => {
          if (!allowance) throw new Error('allowOrigin: nothing was chosen');
          return allowance;
        },
        onDone: { target: 'succeeded', actions: emit({ type: 'origin.allowed' }) },
        onError: [
          {
            guard: { type: 'isVanished', params: ({ event }) => ({ error: event.error }) },
            target: 'vanished',
            actions: { type: 'notice', params: 'project' },
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
    vanished: { on: { 'allowance.cancel': 'closed' } },
  },
});
