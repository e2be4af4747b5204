import { expect, test } from '@jest/globals';
import type { Connector } from 'wagmi';
import { LoginError } from './login.failure';
import { pairAccount } from './wallet.connect';

const address = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';

interface Message {
  type: string;
  data?: unknown;
}

/** A connector whose pairing the test resolves or rejects. */
function remote(answers: Record<string, unknown> = {}) {
  const listeners = new Set<(message: Message) => void>();
  let accept = () => {};
  let refuse: (error: unknown) => void = () => {};
  const pairing = new Promise<void>((resolve, reject) => {
    accept = resolve;
    refuse = reject;
  });
  let ended = 0;
  const known: Record<string, unknown> = { eth_requestAccounts: [address], eth_chainId: '0x1', ...answers };
  const connector = {
    emitter: {
      on: (_: string, listener: (message: Message) => void) => listeners.add(listener),
      off: (_: string, listener: (message: Message) => void) => listeners.delete(listener),
    },
    connect: () => pairing,
    getProvider: async () => ({ request: async ({ method }: { method: string }) => known[method] }),
    disconnect: async () => void (ended += 1),
  };
  return {
    connector: connector as unknown as Connector,
    say: (message: Message) => listeners.forEach((listener) => listener(message)),
    accept,
    refuse,
    ended: () => ended,
    listening: () => listeners.size,
  };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: unknown) => (error instanceof LoginError ? error.failure.code : Promise.reject(error)),
  );
const never = new AbortController().signal;

test('the code is offered, and a wallet that scans it shares its account', async () => {
  const phone = remote();
  const offers: string[] = [];
  const paired = pairAccount(phone.connector, (uri) => offers.push(uri), never);
  phone.say({ type: 'display_uri', data: 'wc:1' });
  phone.say({ type: 'something', data: 'else' });
  phone.say({ type: 'display_uri' });
  phone.accept();
  expect(await paired).toBe(address);
  expect(offers).toEqual(['wc:1']);
  expect(phone.listening()).toBe(0);
  expect(phone.ended()).toBe(0);
});

test('pairing distinguishes a wallet that declines from an unreachable relay', async () => {
  for (const [error, code] of [
    [Object.assign(new Error('User rejected'), { code: 4001 }), 'walletRejected'],
    [new Error('WebSocket connection closed abnormally'), 'pairingFailed'],
    [new TypeError('Failed to fetch dynamically imported module'), 'pairingFailed'],
  ] as const) {
    const phone = remote();
    const paired = pairAccount(phone.connector, () => {}, never);
    phone.refuse(error);
    expect(await codeOf(paired)).toBe(code);
    expect(phone.listening()).toBe(0);
    // There was no pairing to end, and the connector may already serve another attempt.
    expect(phone.ended()).toBe(0);
  }
});

test('a paired wallet without an account is disconnected; one that stays on another network is not', async () => {
  const empty = remote({ eth_requestAccounts: [] });
  const refused = pairAccount(empty.connector, () => {}, never);
  empty.accept();
  expect(await codeOf(refused)).toBe('walletFailed');
  expect(empty.ended()).toBe(1);

  const polygon = remote({ eth_chainId: '0x89' });
  const paired = pairAccount(polygon.connector, () => {}, never);
  polygon.accept();
  expect(await paired).toBe(address);
  expect(polygon.ended()).toBe(0);
});

test('a cancelled pairing offers no code, and a wallet that still connects is disconnected', async () => {
  const phone = remote();
  const stop = new AbortController();
  const offers: string[] = [];
  const paired = pairAccount(phone.connector, (uri) => offers.push(uri), stop.signal);
  stop.abort();
  phone.say({ type: 'display_uri', data: 'wc:1' });
  phone.accept();
  await codeOf(paired);
  expect(offers).toEqual([]);
  expect(phone.ended()).toBe(1);
});
