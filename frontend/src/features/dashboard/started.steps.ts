import { profileGaps, type ProfileGap } from '@orange-id/contract/profile.rule';

/** What is asked of the server: there, on its way, or it could not be read. */
export type Known<T> = { is: 'known'; value: T } | { is: 'loading' } | { is: 'unknown' };

/** `unknown` where what decides it could not be read. */
export type StepState = 'done' | 'open' | 'loading' | 'unknown';

export interface Step {
  name: 'signIn' | 'profile' | 'project' | 'call';
  title: string;
  help: string;
  state: StepState;
  /** Where it is done, and what the way there is called. */
  to: string;
  action: string;
}

export interface Signals {
  user: Known<{ email?: string | null; displayName?: string | null }>;
  projects: Known<readonly unknown[]>;
  /** The newest recorded call; `null` where there is none yet. */
  lastCall: Known<{ projectId: string | null } | null>;
}

const gapNames: Record<ProfileGap, string> = { email: 'email', displayName: 'display name' };

const stateOf = <T>(known: Known<T>, isDone: (value: T) => boolean): StepState =>
  known.is === 'known' ? (isDone(known.value) ? 'done' : 'open') : known.is;

/** A project that was called was made, also when it was deleted since, or its list cannot be read. */
function projectState({ projects, lastCall }: Signals): StepState {
  if (lastCall.is === 'known' && lastCall.value?.projectId != null) return 'done';
  return stateOf(projects, ({ length }) => length > 0);
}

function profileHelp({ user }: Signals): string {
  const gaps = user.is === 'known' ? profileGaps(user.value) : [];
  if (gaps.length === 0) return 'Your display name and email.';
  return `Missing: ${gaps.map((gap) => gapNames[gap]).join(' and ')}.`;
}

/** The way from an empty account to a first call, each step by what is so in fact. */
export function stepsOf(signals: Signals): Step[] {
  return [
    {
      name: 'signIn',
      title: 'Sign in',
      help: 'You’re signed in.',
      state: 'done',
      to: '/login?from=profile',
      action: 'Sign in',
    },
    {
      name: 'profile',
      title: 'Complete your profile',
      help: profileHelp(signals),
      state: stateOf(signals.user, (user) => profileGaps(user).length === 0),
      to: '/settings',
      action: 'Open Settings',
    },
    {
      name: 'project',
      title: 'Create a project',
      help: 'Give it a name and allowed URLs to get an API key.',
      state: projectState(signals),
      to: '/orange-id',
      action: 'Create a project',
    },
    {
      name: 'call',
      title: 'Make your first call',
      help: 'Completes automatically when we see your first call.',
      state: stateOf(signals.lastCall, (call) => call !== null),
      to: '/projects',
      action: 'Show the command',
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

/**
 * The step whose link is the page's main one: the first that is left, where a project goes before the profile, since making
 * one asks for what the profile lacks. None while it is not known whether there is a project.
 */
export function nextStep(steps: readonly Step[]): Step | undefined {
  const project = steps.find(({ name }) => name === 'project');
  if (project?.state === 'loading') return undefined;
  return project?.state === 'open' ? project : steps.find(({ state }) => state === 'open');
}
