import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise } from 'xstate';
import { pendingWork } from '../../../testing/pending.work';
import { explorerMachine } from './explorer.machine';
import { apiKeyOf, draftOf } from './explorer.selectors';
import type { CallAnswer, ExplorerNotice, OfferedKey, SentCall } from './explorer.types';

const answer: CallAnswer = {
  status: 200,
  ms: 12,
  serverMs: 3.2,
  at: null,
  headers: [],
  body: '{}',
  isJson: true,
  isCut: false,
};
const keys: OfferedKey[] = [
  { id: 'new', usageId: 'new', key: 'oid_new' },
  { id: 'old', usageId: 'old', key: 'oid_old' },
];
const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

function start() {
  const works: ReturnType<typeof pendingWork<CallAnswer>>[] = [];
  const signals: AbortSignal[] = [];
  const send = jest.fn((_: SentCall) => {
    const work = pendingWork<CallAnswer>();
    works.push(work);
    return work.promise;
  });
  const actor = createActor(
    explorerMachine.provide({
      actors: {
        sendCall: fromPromise<CallAnswer, SentCall>(({ input, signal }) => {
          signals.push(signal);
          return send(input);
        }),
      },
    }),
    { input: { endpoint: 'walletBalance' } },
  );
  const notices: ExplorerNotice['type'][] = [];
  actor.on('*', (notice) => notices.push(notice.type));
  actor.start();
  return {
    actor,
    works,
    signals,
    send,
    notices,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
    canSend: () => actor.getSnapshot().can({ type: 'call.send' }),
  };
}

function startWithKey() {
  const running = start();
  running.actor.send({ type: 'key.type', text: ' oid_typed ' });
  return running;
}

test('without a key nothing can be sent, and spaces don’t count as a key', () => {
  const { actor, canSend, send, state } = start();
  expect(canSend()).toBe(false);
  actor.send({ type: 'key.type', text: '  ' });
  expect(canSend()).toBe(false);
  actor.send({ type: 'call.send' });
  expect([state(), send.mock.calls]).toEqual(['editing', []]);
  actor.send({ type: 'key.type', text: 'oid_typed' });
  expect(canSend()).toBe(true);
});

test('a call is sent once with what is filled in, and its answer is kept', async () => {
  const { actor, works, send, notices, state, context, canSend } = startWithKey();
  actor.send({ type: 'parameter.type', name: 'address', text: address });
  actor.send({ type: 'call.send' });
  expect([state(), canSend()]).toEqual(['requesting', false]);
  actor.send({ type: 'call.send' });
  const sent = { draft: { parameters: { address }, body: '' }, apiKey: 'oid_typed', keyId: null };
  expect(send.mock.calls).toEqual([[{ endpoint: 'walletBalance', ...sent }]]);
  await works[0]?.answer(answer);
  expect([state(), context().answer, context().failure, canSend()]).toEqual(['answered', answer, null, true]);
  expect(notices).toEqual(['call.answered']);
  actor.send({ type: 'key.type', text: 'oid_other' });
  expect([state(), context().sent?.apiKey]).toEqual(['answered', 'oid_typed']);
});

test('a failure replaces the answer until the next attempt', async () => {
  const { actor, works, notices, state, context } = startWithKey();
  actor.send({ type: 'call.send' });
  await works[0]?.answer(answer);
  actor.send({ type: 'call.send' });
  expect(context()).toMatchObject({ answer: null, failure: null });
  const failure = new TypeError('Failed to fetch');
  await works[1]?.refuse(failure);
  expect([state(), context().failure]).toEqual(['failed', failure]);
  actor.send({ type: 'call.send' });
  expect([state(), context().failure]).toEqual(['requesting', null]);
  expect(notices).toEqual(['call.answered', 'call.failed']);
});

test('a call with problems is not sent and shows them, and changing a field clears its problem', () => {
  const { actor, send, notices, state, context, canSend } = startWithKey();
  actor.send({ type: 'endpoint.choose', endpoint: 'walletTransactions' });
  actor.send({ type: 'parameter.type', name: 'address', text: '0x12' });
  actor.send({ type: 'parameter.type', name: 'blocks', text: '99' });
  expect(context().problems).toEqual({});
  expect(canSend()).toBe(true);
  actor.send({ type: 'call.send' });
  expect([state(), send.mock.calls, notices]).toEqual(['editing', [], ['call.refused']]);
  expect(Object.keys(context().problems)).toEqual(['address', 'blocks']);
  actor.send({ type: 'parameter.type', name: 'blocks', text: '2' });
  expect(context().problems).toEqual({ address: 'Address is invalid.' });
  actor.send({ type: 'parameter.type', name: 'address', text: address });
  actor.send({ type: 'call.send' });
  expect(state()).toBe('requesting');
});

test('a call with an invalid key and body is not sent, and changing each clears its problem', () => {
  const { actor, state, context } = start();
  actor.send({ type: 'endpoint.choose', endpoint: 'addToken' });
  actor.send({ type: 'key.type', text: 'oid typed' });
  actor.send({ type: 'body.type', text: '{' });
  actor.send({ type: 'call.send' });
  expect(Object.keys(context().problems)).toEqual(['apiKey', 'body']);
  actor.send({ type: 'key.choose', id: null });
  actor.send({ type: 'body.type', text: '{}' });
  expect([state(), context().problems]).toEqual(['editing', {}]);
});

test('choosing another endpoint aborts the request, ignores its answer and keeps what was filled in', async () => {
  const { actor, works, signals, state, context } = startWithKey();
  actor.send({ type: 'parameter.type', name: 'address', text: address });
  actor.send({ type: 'call.send' });
  actor.send({ type: 'endpoint.choose', endpoint: 'walletBalance' });
  expect(state()).toBe('requesting');
  actor.send({ type: 'endpoint.choose', endpoint: 'key' });
  expect([state(), signals[0]?.aborted]).toEqual(['editing', true]);
  await works[0]?.answer(answer);
  expect([state(), context().answer]).toEqual(['editing', null]);
  actor.send({ type: 'endpoint.choose', endpoint: 'walletBalance' });
  expect(draftOf(context()).parameters).toEqual({ address });
});

test('a request that is cancelled is aborted, and its answer is ignored', async () => {
  const { actor, works, signals, state, context, notices } = startWithKey();
  actor.send({ type: 'call.send' });
  actor.send({ type: 'call.cancel' });
  await works[0]?.answer(answer);
  expect([state(), signals[0]?.aborted, context().answer, notices]).toEqual(['editing', true, null, []]);
});

test('the newest saved key is chosen at first, and none once the key that the user chose is gone', () => {
  const { actor, context } = start();
  const offer = (list: OfferedKey[]) => actor.send({ type: 'keys.offer', keys: list });
  offer([]);
  expect([context().chosen, apiKeyOf(context())]).toEqual([null, '']);
  offer(keys);
  expect([context().chosen, apiKeyOf(context())]).toEqual(['new', 'oid_new']);
  actor.send({ type: 'key.choose', id: 'old' });
  offer([{ id: 'newer', usageId: 'newer', key: 'oid_newer' }, ...keys]);
  expect(apiKeyOf(context())).toBe('oid_old');
  offer(keys.slice(0, 1));
  expect([context().chosen, apiKeyOf(context())]).toEqual([null, '']);
});

test('saved keys that arrive late don’t replace a key that was typed', () => {
  const { actor, context } = startWithKey();
  actor.send({ type: 'keys.offer', keys });
  expect([context().chosen, apiKeyOf(context())]).toEqual([null, 'oid_typed']);
  actor.send({ type: 'key.choose', id: 'new' });
  expect(apiKeyOf(context())).toBe('oid_new');
});

test('the tab is kept when another endpoint is chosen', () => {
  const { actor, context } = start();
  actor.send({ type: 'tab.choose', tab: 'code' });
  actor.send({ type: 'endpoint.choose', endpoint: 'key' });
  expect(context().tab).toBe('code');
});

test('a call without a provided actor reports the missing actor', async () => {
  const actor = createActor(explorerMachine, { input: { endpoint: 'key' } });
  const failed = new Promise((resolve) => actor.on('call.failed', ({ error }) => resolve(error)));
  actor.start();
  actor.send({ type: 'key.type', text: 'oid_typed' });
  actor.send({ type: 'call.send' });
  expect(await failed).toEqual(new Error('explorer: sendCall is not provided'));
});
