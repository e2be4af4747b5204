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
  test('has only the sign-in done for an empty account', () => {
    expect(states(empty)).toEqual(['done', 'open', 'open']);
    expect(progressOf(stepsOf(empty))).toEqual({ done: 1, isLoading: false, isDone: false });
  });

  test("marks a step as done by the account's data", () => {
    expect(states({ ...empty, projects: full.projects })).toEqual(['done', 'done', 'open']);
    expect(states(full)).toEqual(['done', 'done', 'done']);
    expect(progressOf(stepsOf(full))).toEqual({ done: 3, isLoading: false, isDone: true });
    expect(nextStep(stepsOf(full))).toBeUndefined();
  });

  test('leads a new user to the project first, then to the call', () => {
    expect(nextStep(stepsOf(empty))?.way?.to).toBe('/orange-id');
    expect(nextStep(stepsOf({ ...full, lastCall: empty.lastCall }))?.way?.to).toBe('/projects');
    const reading = stepsOf({ ...empty, projects: loading });
    expect([hasOpenStep(reading), nextStep(reading)]).toEqual([true, undefined]);
    expect(hasOpenStep(stepsOf(full))).toBe(false);
  });

  test('counts a project with a call as created, even if it is deleted or the list fails to load', () => {
    expect(states({ ...full, projects: known([]) })[1]).toBe('done');
    expect(states({ ...full, projects: unknown })[1]).toBe('done');
    // A saved key belongs to no project.
    expect(states({ ...empty, lastCall: known({ projectId: null }) })).toEqual(['done', 'open', 'done']);
  });

  test('shows a loading step as neither done nor open, and a failed one as unknown', () => {
    const asked = { projects: loading, lastCall: loading };
    expect(states(asked)).toEqual(['done', 'loading', 'loading']);
    expect(progressOf(stepsOf(asked))).toMatchObject({ isLoading: true, isDone: false });
    const failed = { projects: unknown, lastCall: unknown };
    expect(states(failed)).toEqual(['done', 'unknown', 'unknown']);
    expect(progressOf(stepsOf(failed))).toMatchObject({ isLoading: false, isDone: false });
    expect(nextStep(stepsOf(failed))).toBeUndefined();
  });

  test('has a link for the project step, and one for the call step once there is a project', () => {
    const left = { ...full, lastCall: empty.lastCall };
    expect(stepsOf(empty).map(({ way }) => way?.to)).toEqual([undefined, '/orange-id', undefined]);
    expect(stepsOf(left).map(({ way }) => way?.to)).toEqual([undefined, '/orange-id', '/projects']);
  });

  test('offers no link for the first call before there is a project, and says why', () => {
    const callOf = (signals: Signals) => stepsOf(signals)[2];
    expect(callOf(empty)).toMatchObject({
      help: 'You need an API key first, from a project or from API Keys.',
      way: null,
    });
    expect(callOf({ ...empty, projects: loading })?.way).toBeNull();
    const way = { to: '/projects', action: 'Open My Projects' };
    expect(callOf({ ...empty, projects: full.projects })).toMatchObject({
      help: 'Completes automatically when we see your first call.',
      way,
    });
    // My Projects shows the error and offers Retry.
    expect(callOf({ ...empty, projects: unknown })).toMatchObject({ way });
  });

  test('shows the first call as done if it used a saved key, although there is no project', () => {
    const call = stepsOf({ ...empty, lastCall: known({ projectId: null }) })[2];
    expect(call).toMatchObject({ state: 'done', help: 'We’ve received your first call.' });
  });
});
