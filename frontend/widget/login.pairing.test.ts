import { expect, test } from '@jest/globals';
import { createActor, fromCallback, fromPromise, SimulatedClock, type EventObject } from 'xstate';
import { settled } from '../src/testing/settled';
import { LoginError } from './login.failure';
import { loginMachine } from './login.machine';
import type { LoginEvent, SignedMessage, Wallet, WalletAccount } from './login.types';

const remote: Wallet = { id: 'uid-9', name: 'WalletConnect', isRemote: true };
const address = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';

function pairing() {
  const clock = new SimulatedClock();
  const asked: Wallet[] = [];
  const signing: WalletAccount[] = [];
  let isOver = false;
  let tell: (event: LoginEvent) => void = () => {};
  const panel = createActor(
    loginMachine.provide({
      actors: {
        pairWallet: fromCallback<EventObject, Wallet>(({ sendBack, input }) => {
          isOver = false;
          asked.push(input);
          tell = sendBack;
          return () => void (isOver = true);
        }),
        signMessage: fromPromise<SignedMessage, WalletAccount>(({ input }) => {
          signing.push(input);
          return Promise.reject(new LoginError({ code: 'walletRejected' }));
        }),
      },
    }),
    { input: { purpose: 'signIn' }, clock },
  ).start();
  panel.send({ type: 'wallet.choose' });
  panel.send({ type: 'wallet.pick', wallet: remote });
  return {
    panel,
    clock,
    asked,
    signing,
    isOver: () => isOver,
    tell: (event: LoginEvent) => tell(event),
    offer: (uri = 'wc:1') => tell({ type: 'pairing.offer', uri }),
    value: () => panel.getSnapshot().value,
    context: () => panel.getSnapshot().context,
  };
}

test('a wallet on another device is paired, then signs', () => {
  const run = pairing();
  expect(run.value()).toEqual({ pairingWallet: 'asking' });
  expect(run.panel.getSnapshot().hasTag('busy')).toBe(true);
  expect(run.asked).toEqual([remote]);
  run.offer();
  expect(run.value()).toEqual({ pairingWallet: 'offering' });
  expect(run.panel.getSnapshot().hasTag('busy')).toBe(false);
  expect(run.context().pairingUri).toBe('wc:1');
  run.tell({ type: 'pairing.accept', address });
  expect(run.value()).toBe('signingMessage');
  expect(run.signing).toEqual([{ wallet: remote, address }]);
  expect(run.isOver()).toBe(true);
});

test('a wallet that the relay knows may connect before its code is shown', () => {
  const run = pairing();
  run.tell({ type: 'pairing.accept', address });
  expect(run.value()).toBe('signingMessage');
});

test('pairing fails if the relay offers nothing within 20 s', () => {
  const run = pairing();
  run.clock.increment(19_999);
  expect(run.value()).toEqual({ pairingWallet: 'asking' });
  run.clock.increment(1);
  expect(run.value()).toBe('failed');
  expect(run.context().failure).toEqual({ code: 'pairingFailed' });
  expect(run.isOver()).toBe(true);
});

test('a code expires if no wallet scans it within 5 minutes, and the next try offers another', () => {
  const run = pairing();
  run.clock.increment(15_000);
  run.offer();
  run.clock.increment(299_999);
  expect(run.value()).toEqual({ pairingWallet: 'offering' });
  run.clock.increment(1);
  expect(run.value()).toBe('failed');
  expect(run.context().failure).toEqual({ code: 'pairingExpired' });
  expect(run.isOver()).toBe(true);
  run.panel.send({ type: 'wallet.retry' });
  expect(run.value()).toEqual({ pairingWallet: 'asking' });
  expect(run.context()).toMatchObject({ failure: null, pairingUri: null });
  run.offer('wc:2');
  expect(run.context().pairingUri).toBe('wc:2');
});

test.each(['asking', 'offering'] as const)('pairing can be cancelled while %s', (state) => {
  const run = pairing();
  if (state === 'offering') run.offer();
  run.panel.send({ type: 'choice.return' });
  expect(run.value()).toBe('choosing');
  expect(run.context()).toMatchObject({ wallet: null, pairingUri: null });
  expect(run.isOver()).toBe(true);
  run.tell({ type: 'pairing.accept', address });
  expect(run.value()).toBe('choosing');
});

test.each(['asking', 'offering'] as const)(
  'a failure while %s is shown, and the next try pairs again',
  (state) => {
    const run = pairing();
    if (state === 'offering') run.offer();
    run.tell({ type: 'pairing.fail', error: new LoginError({ code: 'walletRejected' }) });
    expect(run.value()).toBe('failed');
    expect(run.context().failure).toEqual({ code: 'walletRejected' });
    run.panel.send({ type: 'wallet.retry' });
    expect(run.asked).toEqual([remote, remote]);
  },
);

test('a refused signature leads to a new pairing, because each pairing serves one signature', async () => {
  const run = pairing();
  run.tell({ type: 'pairing.accept', address });
  await settled();
  expect(run.value()).toBe('failed');
  run.panel.send({ type: 'wallet.retry' });
  expect(run.value()).toEqual({ pairingWallet: 'asking' });
});

test('pairing fails if its actor was not provided', () => {
  const panel = createActor(loginMachine, { input: { purpose: 'signIn' } }).start();
  panel.send({ type: 'wallet.choose' });
  panel.send({ type: 'wallet.pick', wallet: remote });
  expect(panel.getSnapshot().value).toBe('failed');
  expect(panel.getSnapshot().context.failure).toEqual({ code: 'unexpected' });
});
