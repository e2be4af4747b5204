/** Server data: loaded, loading, or failed to load. */
export type Known<T> = { is: 'known'; value: T } | { is: 'loading' } | { is: 'unknown' };

/** `unknown` if the data that decides it failed to load. */
export type StepState = 'done' | 'open' | 'loading' | 'unknown';

export interface Step {
  name: 'signIn' | 'project' | 'call';
  title: string;
  help: string;
  state: StepState;
  /**
   * The page of the step and its link text; `null` for the sign-in, and for the first call if the project step is open
   * or loading.
   */
  way: { to: string; action: string } | null;
}

export interface Signals {
  projects: Known<readonly unknown[]>;
  /** The newest recorded call; `null` if there is none yet. */
  lastCall: Known<{ projectId: string | null } | null>;
}

const stateOf = <T>(known: Known<T>, isDone: (value: T) => boolean): StepState =>
  known.is === 'known' ? (isDone(known.value) ? 'done' : 'open') : known.is;

/** A project with a call counts as created, even if it has been deleted since or the list failed to load. */
function projectState({ projects, lastCall }: Signals): StepState {
  if (lastCall.is === 'known' && lastCall.value?.projectId != null) return 'done';
  return stateOf(projects, ({ length }) => length > 0);
}

function callHelp(project: StepState, call: StepState): string {
  if (call === 'done') return 'We’ve received your first call.';
  if (project === 'open' && call === 'open')
    return 'You need an API key first, from a project or from API Keys.';
  return 'Completes automatically when we see your first call.';
}

/**
 * The steps from an empty account to a first call. Completing the profile isn't a step, because the wizard asks for it.
 */
export function stepsOf(signals: Signals): Step[] {
  const project = projectState(signals);
  const call = stateOf(signals.lastCall, (newest) => newest !== null);
  return [
    {
      name: 'signIn',
      title: 'Sign in',
      help: 'You’re signed in.',
      state: 'done',
      way: null,
    },
    {
      name: 'project',
      title: 'Create a project',
      help: 'Give it a name and allowed URLs to get an API key.',
      state: project,
      way: { to: '/orange-id', action: 'Create a project' },
    },
    {
      name: 'call',
      title: 'Make your first call',
      help: callHelp(project, call),
      state: call,
      way:
        project === 'open' || project === 'loading' ? null : { to: '/projects', action: 'Open My Projects' },
    },
  ];
}

/** The progress of the whole list. */
export function progressOf(steps: readonly Step[]): { done: number; isLoading: boolean; isDone: boolean } {
  const done = steps.filter(({ state }) => state === 'done').length;
  return { done, isLoading: steps.some(({ state }) => state === 'loading'), isDone: done === steps.length };
}

/** Whether a step is open, even while others are loading. */
export const hasOpenStep = (steps: readonly Step[]): boolean => steps.some(({ state }) => state === 'open');

/** The step with the page's main link: the first open one that has a link. */
export const nextStep = (steps: readonly Step[]): Step | undefined =>
  steps.find(({ state, way }) => state === 'open' && way !== null);
