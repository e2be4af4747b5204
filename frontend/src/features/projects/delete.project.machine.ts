import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';
import { answerPatienceMs, NoAnswerError } from '../../api/no.answer';
import { type DialogProject } from './dialog.errors';

interface DeleteProjectContext {
  /** Kept while the dialog closes, so that its text stays. */
  project: DialogProject | null;
  failure: unknown;
}

type DeleteProjectEvent =
  | { type: 'project.delete'; project: DialogProject }
  | { type: 'deletion.confirm' }
  | { type: 'deletion.cancel' }
  | { type: 'project.vanish' };

export type DeleteProjectNotice =
  { type: 'project.deleted'; project: DialogProject } | { type: 'deletion.failed'; error: unknown };

const deleteProjectSetup = setup({
  types: {
    context: {} as DeleteProjectContext,
    events: {} as DeleteProjectEvent,
    emitted: {} as DeleteProjectNotice,
  },
  actors: {
    deleteProject: fromPromise<void, DialogProject>(() => {
      throw new Error('deleteProject: deleteProject is not provided');
    }),
  },
  actions: {
    fail: enqueueActions(({ enqueue }, { error }: { error: unknown }) => {
      enqueue.assign({ failure: error });
      enqueue.emit({ type: 'deletion.failed', error });
    }),
  },
  delays: { answerPatience: answerPatienceMs },
});

const opening = deleteProjectSetup.createStateConfig({
  on: {
    'project.delete': {
      target: '#deleteProject.confirming',
      actions: assign(({ event }) => ({ project: event.project, failure: null })),
    },
  },
});
const asking = deleteProjectSetup.createStateConfig({
  on: {
    'deletion.confirm': '#deleteProject.working',
    'deletion.cancel': '#deleteProject.closed',
    'project.vanish': '#deleteProject.vanished',
  },
});

/**
 * Deletes a project after confirmation. A failure keeps the dialog open. A project that was already deleted elsewhere
 * when the request arrives counts as deleted.
 */
export const deleteProjectMachine = deleteProjectSetup.createMachine({
  id: 'deleteProject',
  context: { project: null, failure: null },
  initial: 'closed',
  states: {
    closed: opening,
    confirming: asking,
    working: {
      entry: assign({ failure: null }),
      invoke: {
        src: 'deleteProject',
        input: ({ context }) => chosen(context),
        onDone: {
          target: 'succeeded',
          actions: emit(({ context }) => ({ type: 'project.deleted', project: chosen(context) })),
        },
        onError: {
          target: 'failed',
          actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
        },
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
    vanished: { on: { 'deletion.cancel': 'closed' } },
  },
});

function chosen({ project }: DeleteProjectContext): DialogProject {
  if (!project) throw new Error('deleteProject: nothing was chosen');
  return project;
}
