import { assign, emit, enqueueActions, fromPromise, setup, type ActorRefFrom } from 'xstate';
import { isVanished, type VanishedError } from '../api/vanished.error';

export const failureOf = ({ event }: { event: { error: unknown } }): unknown => event.error;

export interface SubmissionContext<Subject, What> {
  /** What is submitted; kept while the dialog closes, so that its text stays. */
  subject: Subject | null;
  /** Error of the last attempt, cleared by the next one. */
  failure: unknown;
  /** Why the submission can't continue. */
  gone: What | null;
}

type SubmissionEvent<Subject, What> =
  /** Opens the dialog that asks for confirmation. */
  | { type: 'submission.open'; subject: Subject }
  /** Submits without confirmation. */
  | { type: 'submission.start'; subject: Subject }
  /** `subject`: what the user has entered in the dialog, if that is more than was known when it opened. */
  | { type: 'submission.confirm'; subject?: Subject }
  | { type: 'submission.cancel' }
  | { type: 'submission.vanish'; what: What };

type SubmissionNotice<Subject> =
  { type: 'submission.done'; subject: Subject } | { type: 'submission.failed'; error: unknown };

/**
 * A machine that submits one change at a time, after confirmation or at once. A failure keeps the dialog open for
 * another attempt; if the subject vanished (`What` says how), the dialog can only be closed. The view reads the tags:
 * `open` for the dialog, `busy` during the request, `done` after it. `api/http.ts` fails a request that has no response
 * after 30 s.
 */
export function submissionMachine<Subject = null, What extends string = never>(id: string) {
  // Every state but the first `closed` has a subject.
  const chosen = ({ context }: { context: SubmissionContext<Subject, What> }) => context.subject as Subject;
  const base = setup({
    types: {
      context: {} as SubmissionContext<Subject, What>,
      events: {} as SubmissionEvent<Subject, What>,
      emitted: {} as SubmissionNotice<Subject>,
      tags: {} as 'open' | 'busy' | 'done',
    },
    actors: {
      submit: fromPromise<unknown, Subject>(() => {
        throw new Error(`${id}: submit is not provided`);
      }),
    },
    guards: { isVanished: (_, error: unknown) => isVanished(error) },
    actions: {
      choose: assign((_, subject: Subject) => ({ subject, failure: null, gone: null })),
      complete: assign(({ context }, subject: Subject | undefined) => ({
        subject: subject === undefined ? context.subject : subject,
      })),
      setGone: assign((_, gone: What) => ({ gone, failure: null })),
      setGoneBy: assign((_, error: unknown) => ({ gone: (error as VanishedError<What>).what })),
      reportDone: emit((args) => ({ type: 'submission.done', subject: chosen(args) })),
      fail: enqueueActions(({ enqueue }, error: unknown) => {
        enqueue.assign({ failure: error });
        enqueue.emit({ type: 'submission.failed', error });
      }),
    },
  });
  const opening = base.createStateConfig({
    on: {
      'submission.open': {
        target: `#${id}.confirming`,
        actions: { type: 'choose', params: ({ event }) => event.subject },
      },
      'submission.start': {
        target: `#${id}.working`,
        actions: { type: 'choose', params: ({ event }) => event.subject },
      },
    },
  });
  const asking = base.createStateConfig({
    tags: 'open',
    on: {
      'submission.confirm': {
        target: `#${id}.working`,
        actions: { type: 'complete', params: ({ event }) => event.subject },
      },
      'submission.cancel': `#${id}.closed`,
      'submission.vanish': {
        target: `#${id}.vanished`,
        actions: { type: 'setGone', params: ({ event }) => event.what },
      },
    },
  });
  return base.createMachine({
    id,
    context: { subject: null, failure: null, gone: null },
    initial: 'closed',
    states: {
      closed: opening,
      confirming: asking,
      working: {
        tags: ['open', 'busy'],
        entry: assign({ failure: null }),
        // TypeScript doesn't resolve the type of an invoked actor whose input is generic.
        invoke: {
          src: 'submit',
          input: chosen,
          onDone: { target: 'succeeded', actions: 'reportDone' },
          onError: [
            {
              guard: { type: 'isVanished', params: failureOf },
              target: 'vanished',
              actions: { type: 'setGoneBy', params: failureOf },
            },
            { target: 'failed', actions: { type: 'fail', params: failureOf } },
          ],
        } as never,
      },
      failed: { ...asking, on: { ...opening.on, ...asking.on } },
      succeeded: { ...opening, tags: 'done' },
      vanished: { tags: 'open', on: { 'submission.cancel': 'closed' } },
    },
  });
}

export type SubmissionMachine<Subject, What extends string = never> = ReturnType<
  typeof submissionMachine<Subject, What>
>;
export type SubmissionActor<Subject, What extends string = never> = ActorRefFrom<
  SubmissionMachine<Subject, What>
>;
