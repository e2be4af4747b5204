import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, waitFor } from 'xstate';
import { sessionListMachine } from './session.list.machine';

interface Work {
  endSession?: (id: string) => Promise<void>;
  endAllSessions?: () => Promise<void>;
}

function start({ endSession = async () => undefined, endAllSessions = async () => undefined }: Work = {}) {
  const one = jest.fn(endSession);
  const all = jest.fn(endAllSessions);
  const actor = createActor(
    sessionListMachine.provide({
      actors: {
        endSession: fromPromise<void, { id: string }>(({ input }) => one(input.id)),
        endAllSessions: fromPromise(() => all()),
      },
    }),
  );
  const notices: unknown[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return { actor, one, all, notices, state: () => actor.getSnapshot().value };
}

test('sessions are ended one at a time', async () => {
  const { actor, one, notices } = start();
  actor.send({ type: 'session.end', id: 'a' });
  actor.send({ type: 'session.end', id: 'b' });
  actor.send({ type: 'everywhere.ask' });
  await waitFor(actor, (snapshot) => snapshot.matches('listing'));
  expect(one.mock.calls).toEqual([['a']]);
  expect(notices).toEqual([{ type: 'session.ended', id: 'a' }]);
});

test('a session that can’t be ended is reported, and the list stays', async () => {
  const failure = new Error('404: gone');
  const { actor, notices } = start({ endSession: () => Promise.reject(failure) });
  actor.send({ type: 'session.end', id: 'a' });
  await waitFor(actor, (snapshot) => snapshot.matches('listing'));
  expect(notices).toEqual([{ type: 'session.endFailed', error: failure }]);
});

test('signing out everywhere needs confirmation, happens once and is final', async () => {
  const { actor, all, notices, state } = start();
  actor.send({ type: 'everywhere.confirm' });
  expect(state()).toBe('listing');
  actor.send({ type: 'everywhere.ask' });
  actor.send({ type: 'everywhere.cancel' });
  expect(state()).toBe('listing');
  expect(all).not.toHaveBeenCalled();
  actor.send({ type: 'everywhere.ask' });
  actor.send({ type: 'everywhere.confirm' });
  actor.send({ type: 'everywhere.confirm' });
  actor.send({ type: 'everywhere.cancel' });
  expect(state()).toBe('endingAll');
  await waitFor(actor, (snapshot) => snapshot.matches('ended'));
  expect(all).toHaveBeenCalledTimes(1);
  expect(notices).toEqual([{ type: 'everywhere.ended' }]);
});

test('the error of signing out everywhere stays in the dialog, and cancelling clears it', async () => {
  const failure = new Error('503: later');
  const { actor, notices } = start({ endAllSessions: () => Promise.reject(failure) });
  actor.send({ type: 'everywhere.ask' });
  actor.send({ type: 'everywhere.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('confirming'));
  expect(actor.getSnapshot().context.failure).toBe(failure);
  actor.send({ type: 'everywhere.cancel' });
  expect(actor.getSnapshot().context.failure).toBeNull();
  expect(notices).toEqual([]);
});

test('ending sessions without provided actors reports the missing actors', async () => {
  const actor = createActor(sessionListMachine);
  const failures: unknown[] = [];
  actor.on('session.endFailed', ({ error }) => failures.push(error));
  actor.start();
  actor.send({ type: 'session.end', id: 'a' });
  await waitFor(actor, (snapshot) => snapshot.matches('listing'));
  actor.send({ type: 'everywhere.ask' });
  actor.send({ type: 'everywhere.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('confirming'));
  expect([...failures, actor.getSnapshot().context.failure]).toEqual([
    new Error('sessionList: endSession is not provided'),
    new Error('sessionList: endAllSessions is not provided'),
  ]);
});
