import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import { assign, emit, fromPromise, setup, type ActorRefFrom } from 'xstate';
import { apiKeyOf, callOf, draftOf, drafted, problemsNow } from './explorer.selectors';
import type {
  CallAnswer,
  ExplorerContext,
  ExplorerEvent,
  ExplorerNotice,
  OfferedKey,
  SentCall,
} from './explorer.types';

/** A change to one field; `name` is the field's key in `problems`. */
type Change = { name: string } & Partial<ExplorerContext>;

const explorerSetup = setup({
  types: {
    context: {} as ExplorerContext,
    input: {} as { endpoint: MeteredRouteId },
    events: {} as ExplorerEvent,
    emitted: {} as ExplorerNotice,
    tags: {} as 'busy',
  },
  actors: {
    sendCall: fromPromise<CallAnswer, SentCall>(() => {
      throw new Error('explorer: sendCall is not provided');
    }),
  },
  guards: {
    hasKey: ({ context }) => apiKeyOf(context) !== '',
    hasKeyAndProblems: ({ context }) =>
      apiKeyOf(context) !== '' && Object.keys(problemsNow(context)).length > 0,
    isOther: ({ context }, endpoint: MeteredRouteId) => context.endpoint !== endpoint,
  },
  actions: {
    choose: assign((_, endpoint: MeteredRouteId) => ({
      endpoint,
      problems: {},
      answer: null,
      failure: null,
    })),
    offer: assign(({ context: { offered, chosen, typed } }, keys: readonly OfferedKey[]) => ({
      offered: keys,
      // Chooses the newest key at first, but never in place of a typed key or of a chosen key that is gone.
      chosen:
        offered.length === 0 && typed === ''
          ? (keys[0]?.id ?? null)
          : (keys.find(({ id }) => id === chosen)?.id ?? null),
    })),
    /** Changes a field and clears its problem. */
    write: assign(({ context: { problems } }, { name, ...change }: Change) => ({
      ...change,
      problems: Object.fromEntries(Object.entries(problems).filter(([known]) => known !== name)),
    })),
    refuse: assign({ problems: ({ context }) => problemsNow(context) }),
    reportRefusal: emit({ type: 'call.refused' }),
  },
});

const sending = explorerSetup.createStateConfig({
  on: {
    'call.send': [
      { guard: 'hasKeyAndProblems', actions: ['refuse', 'reportRefusal'] },
      { guard: 'hasKey', target: '#explorer.requesting' },
    ],
  },
});

/**
 * The API explorer: an endpoint, a key, what to send, and the answer to the last call. `call.send` is possible with a
 * key and without a pending request; a call with problems is then not sent and shows them. Choosing another endpoint
 * aborts a pending request.
 */
export const explorerMachine = explorerSetup.createMachine({
  id: 'explorer',
  context: ({ input: { endpoint } }) => ({
    endpoint,
    tab: 'configure',
    drafts: {},
    problems: {},
    offered: [],
    chosen: null,
    typed: '',
    sent: null,
    answer: null,
    failure: null,
  }),
  initial: 'editing',
  on: {
    'endpoint.choose': {
      guard: { type: 'isOther', params: ({ event }) => event.endpoint },
      target: '.editing',
      actions: { type: 'choose', params: ({ event }) => event.endpoint },
    },
    'tab.choose': { actions: assign({ tab: ({ event }) => event.tab }) },
    'keys.offer': { actions: { type: 'offer', params: ({ event }) => event.keys } },
    'key.choose': {
      actions: { type: 'write', params: ({ event: { id } }) => ({ name: 'apiKey', chosen: id }) },
    },
    'key.type': {
      actions: { type: 'write', params: ({ event: { text } }) => ({ name: 'apiKey', typed: text }) },
    },
    'parameter.type': {
      actions: {
        type: 'write',
        params: ({ context, event: { name, text } }) => ({
          name,
          ...drafted(context, { parameters: { ...draftOf(context).parameters, [name]: text } }),
        }),
      },
    },
    'body.type': {
      actions: {
        type: 'write',
        params: ({ context, event: { text } }) => ({ name: 'body', ...drafted(context, { body: text }) }),
      },
    },
  },
  states: {
    editing: sending,
    requesting: {
      tags: 'busy',
      entry: assign(({ context }) => ({ sent: callOf(context), problems: {}, answer: null, failure: null })),
      on: { 'call.cancel': 'editing' },
      invoke: {
        src: 'sendCall',
        input: ({ context }) => callOf(context),
        onDone: {
          target: 'answered',
          actions: [
            assign({ answer: ({ event }) => event.output }),
            emit(({ event }) => ({ type: 'call.answered', answer: event.output })),
          ],
        },
        onError: {
          target: 'failed',
          actions: [
            assign({ failure: ({ event }) => event.error }),
            emit(({ event }) => ({ type: 'call.failed', error: event.error })),
          ],
        },
      },
    },
    answered: sending,
    failed: sending,
  },
});

export type ExplorerActor = ActorRefFrom<typeof explorerMachine>;
