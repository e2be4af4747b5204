import { describe, expect, test } from '@jest/globals';
import { hasOpenStep, nextStep, progressOf, stepsOf, type Known, type Signals } from './started.steps';

const known = <T>(value: T): Known<T> => ({ is: 'known', value });
const loading = { is: 'loading' } as const;
const unknown = { is: 'unknown' } as const;
const empty: Signals = {
  projects: known([]),
  lastCall: known(null),
};
const full: Signals = {
  projects: known([{}]),
  lastCall: known({ projectId: 'orange-1' }),
};
const states = (signals: Signals) => stepsOf(signals).map(({ state }) => state);

describe('getting started', () => {
  test('an empty account has signed in and nothing else', () => {
    expect(states(empty)).toEqual(['done', 'open', 'open']);
    expect(progressOf(stepsOf(empty))).toEqual({ done: 1, isLoading: false, isDone: false });
  });

  test('everything ticks by what is so', () => {
    expect(states({ ...empty, projects: full.projects })).toEqual(['done', 'done', 'open']);
    expect(states(full)).toEqual(['done', 'done', 'done']);
    expect(progressOf(stepsOf(full))).toEqual({ done: 3, isLoading: false, isDone: true });
    expect(nextStep(stepsOf(full))).toBeUndefined();
  });

  test('a newcomer is led to the project first, then to the call', () => {
    expect(nextStep(stepsOf(empty))?.way?.to).toBe('/orange-id');
    expect(nextStep(stepsOf({ ...full, lastCall: empty.lastCall }))?.way?.to).toBe('/projects');
    const reading = stepsOf({ ...empty, projects: loading });
    expect([hasOpenStep(reading), nextStep(reading)]).toEqual([true, undefined]);
    expect(hasOpenStep(stepsOf(full))).toBe(false);
  });

  test('a project that was called was made, though it is gone or its list cannot be read', () => {
    expect(states({ ...full, projects: known([]) })[1]).toBe('done');
    expect(states({ ...full, projects: unknown })[1]).toBe('done');
    // A saved key belongs to no project.
    expect(states({ ...empty, lastCall: known({ projectId: null }) })).toEqual(['done', 'open', 'done']);
  });

  test('what is not read yet is neither done nor to do, and what could not be read says so', () => {
    const asked = { projects: loading, lastCall: loading };
    expect(states(asked)).toEqual(['done', 'loading', 'loading']);
    expect(progressOf(stepsOf(asked))).toMatchObject({ isLoading: true, isDone: false });
    const failed = { projects: unknown, lastCall: unknown };
    expect(states(failed)).toEqual(['done', 'unknown', 'unknown']);
    expect(progressOf(stepsOf(failed))).toMatchObject({ isLoading: false, isDone: false });
    expect(nextStep(stepsOf(failed))).toBeUndefined();
  });

  test('each step that is left leads to where it is done', () => {
    const left = { ...full, lastCall: empty.lastCall };
    expect(stepsOf(empty).map(({ way }) => way?.to)).toEqual([undefined, '/orange-id', undefined]);
    expect(stepsOf(left).map(({ way }) => way?.to)).toEqual([undefined, '/orange-id', '/projects']);
  });

  test('the first call offers no command before there is a project, and says why', () => {
    const callOf = (signals: Signals) => stepsOf(signals)[2];
    expect(callOf(empty)).toMatchObject({ help: 'Create a project first.', way: null });
    expect(callOf({ ...empty, projects: loading })?.way).toBeNull();
    const way = { to: '/projects', action: 'Show the command' };
    expect(callOf({ ...empty, projects: full.projects })).toMatchObject({ way });
    // My Projects says what failed, and offers Retry.
    expect(callOf({ ...empty, projects: unknown })).toMatchObject({ way });
  });

  test('a first call made with a saved key needs no project, so its step asks for none', () => {
    const call = stepsOf({ ...empty, lastCall: known({ projectId: null }) })[2];
    expect(call).toMatchObject({
      state: 'done',
      help: 'Completes automatically when we see your first call.',
    });
  });
});
