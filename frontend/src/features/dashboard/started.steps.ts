/** What is asked of the server: there, on its way, or it could not be read. */
export type Known<T> = { is: 'known'; value: T } | { is: 'loading' } | { is: 'unknown' };

/** `unknown` where what decides it could not be read. */
export type StepState = 'done' | 'open' | 'loading' | 'unknown';

export interface Step {
  name: 'signIn' | 'project' | 'call';
  title: string;
  help: string;
  state: StepState;
  /** Where it is done, and what the link there is called; `null` where there is nothing to do, or another step comes first. */
  way: { to: string; action: string } | null;
}

export interface Signals {
  projects: Known<readonly unknown[]>;
  /** The newest recorded call; `null` where there is none yet. */
  lastCall: Known<{ projectId: string | null } | null>;
}

const stateOf = <T>(known: Known<T>, isDone: (value: T) => boolean): StepState =>
  known.is === 'known' ? (isDone(known.value) ? 'done' : 'open') : known.is;

/** A project that was called was made, also when it was deleted since, or its list cannot be read. */
function projectState({ projects, lastCall }: Signals): StepState {
  if (lastCall.is === 'known' && lastCall.value?.projectId != null) return 'done';
  return stateOf(projects, ({ length }) => length > 0);
}

/** The way from an empty account to a first call. The wizard asks for what the profile lacks, so that is no step. */
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
      help:
        project === 'open' && call === 'open'
          ? 'Create a project first.'
          : 'Completes automatically when we see your first call.',
      state: call,
      way:
        project === 'open' || project === 'loading' ? null : { to: '/projects', action: 'Show the command' },
    },
  ];
}

/** How the list as a whole stands. */
export function progressOf(steps: readonly Step[]): { done: number; isLoading: boolean; isDone: boolean } {
  const done = steps.filter(({ state }) => state === 'done').length;
  return { done, isLoading: steps.some(({ state }) => state === 'loading'), isDone: done === steps.length };
}

/** Whether something is left to do, whatever is still being read. */
export const hasOpenStep = (steps: readonly Step[]): boolean => steps.some(({ state }) => state === 'open');

/** The step whose link is the page's main one: the first that is left and has one. */
export const nextStep = (steps: readonly Step[]): Step | undefined =>
  steps.find(({ state, way }) => state === 'open' && way !== null);
