import { describe, expect, test } from '@jest/globals';
import { hasOpenStep, nextStep, progressOf, stepsOf, type Known, type Signals } from './started.steps';

const known = <T>(value: T): Known<T> => ({ is: 'known', value });
const loading = { is: 'loading' } as const;
const unknown = { is: 'unknown' } as const;
const empty: Signals = {
  user: known({ email: 'ada@example.com', displayName: null }),
  projects: known([]),
  lastCall: known(null),
};
const full: Signals = {
  user: known({ email: 'ada@example.com', displayName: 'Ada' }),
  projects: known([{}]),
  lastCall: known({ projectId: 'orange-1' }),
};
const states = (signals: Signals) => stepsOf(signals).map(({ state }) => state);

describe('getting started', () => {
  test('an empty account has signed in and nothing else', () => {
    expect(states(empty)).toEqual(['done', 'open', 'open', 'open']);
    expect(progressOf(stepsOf(empty))).toEqual({ done: 1, isLoading: false, isDone: false });
  });

  test('everything ticks by what is so', () => {
    expect(states({ ...empty, user: full.user })).toEqual(['done', 'done', 'open', 'open']);
    expect(states({ ...empty, projects: full.projects })).toEqual(['done', 'open', 'done', 'open']);
    expect(states(full)).toEqual(['done', 'done', 'done', 'done']);
    expect(progressOf(stepsOf(full))).toEqual({ done: 4, isLoading: false, isDone: true });
    expect(nextStep(stepsOf(full))).toBeUndefined();
  });

  test.each([
    [{ email: null, displayName: ' ' }, 'Missing: email and display name.'],
    [{ email: 'a@example.com', displayName: null }, 'Missing: display name.'],
    [{ email: '', displayName: 'Ada' }, 'Missing: email.'],
  ])('the profile step names what is missing: %j', (user, help) => {
    expect(stepsOf({ ...empty, user: known(user) })[1]).toMatchObject({ help, state: 'open' });
  });

  test('a newcomer is led to the project first, which asks for what the profile lacks, then to the call', () => {
    expect(nextStep(stepsOf(empty))?.to).toBe('/orange-id');
    expect(nextStep(stepsOf({ ...empty, projects: full.projects }))?.to).toBe('/settings');
    expect(nextStep(stepsOf({ ...full, lastCall: empty.lastCall }))?.to).toBe('/projects');
    const reading = stepsOf({ ...empty, projects: loading });
    expect([hasOpenStep(reading), nextStep(reading)]).toEqual([true, undefined]);
    expect(hasOpenStep(stepsOf(full))).toBe(false);
  });

  test('a project that was called was made, though it is gone or its list cannot be read', () => {
    expect(states({ ...full, projects: known([]) })[2]).toBe('done');
    expect(states({ ...full, projects: unknown })[2]).toBe('done');
    // A saved key belongs to no project.
    expect(states({ ...empty, lastCall: known({ projectId: null }) })).toEqual([
      'done',
      'open',
      'open',
      'done',
    ]);
  });

  test('what is not read yet is neither done nor to do, and what could not be read says so', () => {
    const asked = { user: loading, projects: loading, lastCall: loading };
    expect(states(asked)).toEqual(['done', 'loading', 'loading', 'loading']);
    expect(progressOf(stepsOf(asked))).toMatchObject({ isLoading: true, isDone: false });
    const failed = { user: unknown, projects: unknown, lastCall: unknown };
    expect(states(failed)).toEqual(['done', 'unknown', 'unknown', 'unknown']);
    expect(progressOf(stepsOf(failed))).toMatchObject({ isLoading: false, isDone: false });
    expect(nextStep(stepsOf(failed))).toBeUndefined();
  });

  test('each step that is left leads to where it is done', () => {
    expect(stepsOf(empty).map(({ to }) => to)).toEqual([
      '/login?from=profile',
      '/settings',
      '/orange-id',
      '/projects',
    ]);
  });
});
