import { expect, jest, test } from '@jest/globals';
import type { AppFlowInfo, AppFlowSignIn } from '@orange-id/contract/tenant.schema';
import { createActor, fromPromise } from 'xstate';
import { settled } from '../../testing/settled';
import { appSignInMachine, type HandOver } from './app.sign-in.machine';

const flow: AppFlowInfo = {
  app: { name: 'Shop', projectId: 'orange-a1b2c3d4e5', origin: 'https://shop.example.com', isLocal: false },
  display: 'popup',
  method: 'email',
};
const arrived = { type: 'tokens.arrive', token: 'new', refreshToken: 'newer' } as const;
const temporary: AppFlowSignIn = { token: 'new', refreshToken: 'newer', isTemporary: true };
const accepted: HandOver = { outcome: 'accepted', next: '/api/v1/auth/consent?flow=1' };

/** Each request takes the next of its answers; an error rejects. */
function start({
  isSignedIn = false,
  flows = [flow] as (AppFlowInfo | 'expired' | Error)[],
  answers = [accepted] as (HandOver | Error)[],
} = {}) {
  const sent: (AppFlowSignIn | null)[] = [];
  const [goOn, endTemporary] = [jest.fn(), jest.fn()];
  const next = async <Answer>(left: (Answer | Error)[]): Promise<Answer> => {
    const answer = left.shift() ?? new Error('asked again');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const actor = createActor(
    appSignInMachine.provide({
      actors: {
        readFlow: fromPromise(() => next(flows)),
        handOver: fromPromise(({ input }) => {
          sent.push(input);
          return next(answers);
        }),
      },
      actions: {
        goOn: (_, answer) => void goOn(answer),
        endTemporary: (_, tokens) => void endTemporary(tokens),
      },
    }),
    { input: { isSignedIn } },
  ).start();
  const value = () => actor.getSnapshot().value;
  return { actor, value, context: () => actor.getSnapshot().context, sent, goOn, endTemporary };
}

test('a visitor signs in, and the new tokens are handed over as temporary ones', async () => {
  const { actor, value, context, sent, goOn } = start();
  expect([value(), actor.getSnapshot().hasTag('busy')]).toEqual(['readingFlow', true]);
  await settled();
  expect([value(), context().flow]).toEqual(['signingIn', flow]);
  expect(actor.getSnapshot().can({ type: 'account.keep' })).toBe(false);
  actor.send(arrived);
  expect(value()).toBe('handingOver');
  await settled();
  expect([value(), sent, goOn.mock.calls]).toEqual(['leaving', [temporary], [[accepted]]]);
});

test('somebody who is signed in continues with that session, or changes the account and back', async () => {
  const { actor, value, sent, goOn } = start({ isSignedIn: true });
  await settled();
  expect(value()).toBe('choosingAccount');
  actor.send({ type: 'account.change' });
  expect(value()).toBe('signingIn');
  actor.send({ type: 'account.keep' });
  actor.send({ type: 'account.continue' });
  await settled();
  expect([value(), sent, goOn.mock.calls]).toEqual(['leaving', [null], [[accepted]]]);
});

test('a page restored by Back reads the sign-in again and forgets the tokens', async () => {
  const { actor, value, context } = start({ flows: [flow, 'expired'] });
  await settled();
  actor.send(arrived);
  await settled();
  actor.send({ type: 'page.restore' });
  expect([value(), context().tokens]).toEqual(['readingFlow', null]);
  await settled();
  expect(value()).toBe('expired');
});

test('a sign-in that has expired at the start ends there', async () => {
  const { value, endTemporary } = start({ flows: ['expired'] });
  await settled();
  expect([value(), endTemporary.mock.calls]).toEqual(['expired', []]);
});

test('a sign-in that expires later ends the session that began for it', async () => {
  const { actor, value, endTemporary, goOn } = start({ answers: [{ outcome: 'expired' }] });
  await settled();
  actor.send(arrived);
  await settled();
  expect([value(), endTemporary.mock.calls, goOn.mock.calls]).toEqual(['expired', [[temporary]], []]);
});

test('a session that the portal no longer accepts leads to the panel, without a way back to it', async () => {
  const { actor, value, context, sent } = start({
    isSignedIn: true,
    answers: [{ outcome: 'refused' }, accepted],
  });
  await settled();
  actor.send({ type: 'account.continue' });
  await settled();
  expect([value(), context().wasRefused]).toEqual(['signingIn', true]);
  expect(actor.getSnapshot().can({ type: 'account.keep' })).toBe(false);
  actor.send(arrived);
  await settled();
  expect([value(), sent]).toEqual(['leaving', [null, temporary]]);
});

test('requests without an answer can be retried with the same tokens', async () => {
  const { actor, value, context, sent } = start({
    flows: [new Error('offline'), flow],
    answers: [new Error('503'), accepted],
  });
  await settled();
  expect([value(), context().error]).toEqual(['unread', new Error('offline')]);
  actor.send({ type: 'request.retry' });
  await settled();
  actor.send(arrived);
  await settled();
  expect([value(), context().error]).toEqual(['unsent', new Error('503')]);
  actor.send({ type: 'request.retry' });
  await settled();
  expect([value(), sent]).toEqual(['leaving', [temporary, temporary]]);
});

test('without provided actors the missing one is reported', async () => {
  const actor = createActor(appSignInMachine, { input: { isSignedIn: false } }).start();
  await settled();
  expect(actor.getSnapshot().context.error).toEqual(new Error('appSignIn: readFlow is not provided'));
});
