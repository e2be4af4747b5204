import { describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { hexToString } from 'viem';
import { createActor, fromCallback, type PromiseActorLogic, toPromise } from 'xstate';
import { settled } from '../src/testing/settled';
import { createLoginActors, type LoginDependencies } from './login.actors';
import { LoginError, type LoginFailure } from './login.failure';
import type { LoginPurpose } from './login.types';

const tokens = { accessToken: 'new', refreshToken: 'newer' };
const answer = { user: { id: 'u1' }, token: tokens };
const credentials = { email: 'ann@example.com', password: 'secret', passwordConfirm: 'secret' };
const signed = { message: { address: '0x1' } as never, signature: '0xabc' };

/** Subscribes before the start, because an actor that fails at once with no subscriber throws an uncaught error. */
function run<Output, Input>(logic: PromiseActorLogic<Output, Input>, input: Input): Promise<Output> {
  const actor = createActor(logic, { input } as never);
  const result = toPromise(actor);
  actor.start();
  return result;
}

function start(
  purpose: LoginPurpose,
  storedToken: string | null = 'token-1',
  more: Partial<LoginDependencies> = {},
) {
  const calls: unknown[][] = [];
  const call =
    (name: string) =>
    (...given: unknown[]) => {
      calls.push([name, ...given.filter((value) => !(value instanceof AbortSignal))]);
      return Promise.resolve(answer);
    };
  const assign = jest.fn();
  const [onProven, onProofRequired] = [jest.fn(), jest.fn()];
  const dependencies = {
    onProven,
    onProofRequired,
    purpose,
    readToken: () => storedToken,
    markTab: () => 'value-1',
    settings: { baseUrl: 'https://id.example.com', authCallbackUrl: 'https://app.example.com/auth/callback' },
    page: { assign },
    ...more,
    client: {
      beginProof: async (...given: unknown[]) => {
        calls.push(['beginProof', ...given.filter((value) => !(value instanceof AbortSignal))]);
        return { href: 'https://accounts.example.com/authorize' };
      },
      ...Object.fromEntries(
        ['register', 'verify', 'linkEmail', 'linkWallet', 'prove'].map((name) => [name, call(name)]),
      ),
    },
  } as unknown as LoginDependencies;
  return { actors: createLoginActors(dependencies), calls, assign, onProven, onProofRequired, dependencies };
}

test('to sign in, register and verifySignature call the sign-in endpoints', async () => {
  const { actors, calls } = start('signIn');
  expect(await run(actors.register, credentials)).toEqual(tokens);
  expect(await run(actors.verifySignature, signed)).toEqual(tokens);
  expect(calls).toEqual([
    ['register', 'ann@example.com', 'secret', 'secret'],
    ['verify', signed],
  ]);
});

test('to link, register and verifySignature send the same credentials to the account of the stored token', async () => {
  const { actors, calls, assign } = start('link');
  expect(await run(actors.register, credentials)).toEqual(tokens);
  expect(await run(actors.verifySignature, signed)).toEqual(tokens);
  await run(actors.leavePage, { kind: 'provider', provider: 'GOOGLE' });
  expect(calls).toEqual([
    ['linkEmail', 'token-1', credentials],
    ['linkWallet', 'token-1', signed],
  ]);
  expect(assign.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^https:\/\/id\.example\.com\/api\/v1\/auth\/identifier\/GOOGLE\?.*&token=token-1&.*&tab=value-1$/,
      ),
    ],
  ]);
});

test('on another origin the service’s page opens for the tenant, else for the project of the key', async () => {
  const opened: unknown[] = [];
  const openWindow: LoginDependencies['openWindow'] = (request) => {
    opened.push(request);
    return Promise.resolve({ token: 'new', refreshToken: 'newer' });
  };
  const authCallbackUrl = 'https://app.example.com/auth/callback';
  const settings = { baseUrl: 'https://id.example.com/', authCallbackUrl, subscriptionKey: 'orange-key' };
  const byKey = start('signIn', null, { openWindow, settings });
  expect(await run(byKey.actors.signInElsewhere, { method: 'wallet' as const })).toEqual(tokens);
  const byTenant = start('signIn', null, {
    openWindow,
    settings: { ...settings, tenantId: 'orange-tenant' },
  });
  await run(byTenant.actors.signInElsewhere, { method: 'email' as const });
  const request = { portal: 'https://id.example.com', callback: authCallbackUrl };
  expect(opened).toEqual([
    { ...request, projectId: 'orange-key', method: 'wallet' },
    { ...request, projectId: 'orange-tenant', method: 'email' },
  ]);
  const closed = start('signIn', null, { openWindow: () => Promise.resolve(null), settings });
  expect(await run(closed.actors.signInElsewhere, { method: 'email' as const })).toBeNull();
});

test('a sign-in for another site hands over its tokens and leaves the page only for a provider', async () => {
  const onTokens = jest.fn();
  const { actors, assign } = start('signIn', null, { app: { flowId: 'flow 1', onTokens } });
  await run(actors.leavePage, { kind: 'callback', tokens });
  expect([onTokens.mock.calls, assign.mock.calls]).toEqual([[[tokens]], []]);
  await run(actors.leavePage, { kind: 'provider', provider: 'APPLE' });
  expect(assign.mock.calls).toEqual([['https://id.example.com/api/v1/auth/APPLE?app=flow%201']]);
});

test('linking without a stored token sends nothing', async () => {
  const { actors, calls, assign } = start('link', null);
  const ended = new LoginError({ code: 'sessionEnded' });
  await expect(run(actors.register, credentials)).rejects.toEqual(ended);
  await expect(run(actors.leavePage, { kind: 'provider', provider: 'APPLE' })).rejects.toEqual(ended);
  expect([calls, assign.mock.calls]).toEqual([[], []]);
});

test.each([
  ['signIn', 'verify'],
  ['link', 'linkWallet'],
  ['prove', 'prove'],
] as const)(
  'to %s, a rejected message counts as expired if it was signed too late, and as rejected if it was signed in time',
  async (purpose, call) => {
    const { actors, dependencies } = start(purpose);
    const refused: LoginFailure = { code: 'serviceRefused', status: 401, message: 'Check the clock' };
    const failureOf = async (ageMs: number, failure = refused) => {
      dependencies.client[call] = () => Promise.reject<never>(new LoginError(failure));
      const message = { issuedAt: new Date(Date.now() - ageMs).toISOString() } as never;
      const actor = createActor(actors.verifySignature, { input: { ...signed, message } }).start();
      return toPromise(actor).catch((error: LoginError) => error.failure.code);
    };
    expect(await failureOf(limits.siweNonceMs + 1)).toBe('requestExpired');
    expect(await failureOf(limits.siweNonceMs - 60_000)).toBe('serviceRefused');
    expect(await failureOf(limits.siweNonceMs + 1, { code: 'sessionEnded', status: 401 })).toBe(
      'sessionEnded',
    );
    expect(await failureOf(limits.siweNonceMs + 1, { code: 'unreachable' })).toBe('unreachable');
  },
);

test.each(['signIn', 'link'] as const)(
  'leaving to %s marks the tab, and the callback carries its value',
  async (purpose) => {
    const { actors, assign } = start(purpose);
    await run(actors.leavePage, { kind: 'callback', tokens });
    await run(actors.leavePage, { kind: 'provider', provider: 'GOOGLE' });
    expect(assign.mock.calls).toEqual([
      ['https://app.example.com/auth/callback?token=new&refreshToken=newer&tab=value-1'],
      [expect.stringMatching(/\/GOOGLE\?.*&tab=value-1$/)],
    ]);
  },
);

describe('to confirm the account', () => {
  test('a password and a signature are sent with the bearer token, return no tokens, and the page continues', async () => {
    const { actors, calls, assign, onProven } = start('prove');
    expect(await run(actors.logIn, credentials)).toBeNull();
    expect(await run(actors.verifySignature, signed)).toBeNull();
    expect(calls).toEqual([
      ['prove', 'token-1', { password: 'secret' }],
      ['prove', 'token-1', signed],
    ]);
    await run(actors.leavePage, { kind: 'proven' });
    expect(onProven).toHaveBeenCalledTimes(1);
    expect(assign).not.toHaveBeenCalled();
  });

  test('the panel opens a provider’s page at the URL from the service', async () => {
    const { actors, calls, assign } = start('prove');
    const way = { kind: 'provider', provider: 'APPLE' } as const;
    await run(actors.leavePage, way);
    expect(calls).toEqual([['beginProof', 'token-1', 'APPLE']]);
    expect(assign).toHaveBeenCalledWith('https://accounts.example.com/authorize');
  });

  test('nothing is sent if nobody is signed in', async () => {
    const { actors, calls } = start('prove', null);
    await expect(run(actors.logIn, credentials)).rejects.toMatchObject({
      failure: { code: 'sessionEnded' },
    });
    expect(calls).toEqual([]);
  });
});

test('linking reports the method to the page if a proof is required, and for no other refusal', async () => {
  for (const code of ['proofRequired', 'emailTaken'] as const) {
    const { actors, dependencies, onProofRequired } = start('link');
    dependencies.client.linkEmail = () => Promise.reject(new LoginError({ code }));
    await expect(run(actors.register, credentials)).rejects.toMatchObject({
      failure: { code },
    });
    expect(onProofRequired.mock.calls).toEqual(code === 'proofRequired' ? [['email']] : []);
  }
});

describe('a wallet', () => {
  const address = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';
  const wallet = { id: 'phone', name: 'Phone', isRemote: true };
  const actorsWith = (...connectors: object[]) =>
    createLoginActors({
      ...start('signIn').dependencies,
      wallets: { connectors } as unknown as LoginDependencies['wallets'],
    });

  test('whose extension is gone is reported as missing', async () => {
    const missing = { failure: { code: 'walletMissing' } };
    await expect(run(actorsWith().connectWallet, wallet)).rejects.toMatchObject(missing);
    const gone = { uid: 'phone', getProvider: async () => undefined };
    await expect(run(actorsWith(gone).connectWallet, wallet)).rejects.toMatchObject(missing);
  });

  /** Pairs a wallet that scans the code, or declines. */
  async function pair(connect: () => Promise<void>) {
    const listeners = new Set<(message: object) => void>();
    const answers: Record<string, unknown> = { eth_chainId: '0x1', eth_requestAccounts: [address] };
    const connector = {
      uid: 'phone',
      emitter: {
        on: (_: string, listener: (message: object) => void) => listeners.add(listener),
        off: (_: string, listener: (message: object) => void) => listeners.delete(listener),
      },
      connect: () => {
        for (const listener of listeners) listener({ type: 'display_uri', data: 'wc:1' });
        return connect();
      },
      getProvider: async () => ({ request: async ({ method }: { method: string }) => answers[method] }),
    };
    const events: unknown[] = [];
    const parent = createActor(
      fromCallback(({ receive, self }) => {
        receive((event) => events.push(event));
        createActor(actorsWith(connector).pairWallet, { input: wallet, parent: self } as never).start();
      }),
    ).start();
    await settled();
    parent.stop();
    return events;
  }

  test('is paired by its code, and its address or its refusal is reported', async () => {
    const offer = { type: 'pairing.offer', uri: 'wc:1' };
    expect(await pair(async () => undefined)).toEqual([offer, { type: 'pairing.accept', address }]);
    const declined = Object.assign(new Error('User rejected'), { code: 4001 });
    expect(await pair(() => Promise.reject(declined))).toMatchObject([
      offer,
      { type: 'pairing.fail', error: { failure: { code: 'walletRejected' } } },
    ]);
  });
});

describe('a signature that is cancelled', () => {
  const account = { address: '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e' };
  /** A panel with a paired wallet, whose nonce arrives when the test says so. */
  function startSigning() {
    const { dependencies } = start('signIn');
    const sent: string[] = [];
    const signed: string[] = [];
    const disconnect = jest.fn(async () => {});
    let sendNonce = () => {};
    const nonce = new Promise<{ nonce: string; now: string }>(
      (resolve) =>
        (sendNonce = () => resolve({ nonce: '0123456789abcdef', now: '2026-01-01T00:00:00.000Z' })),
    );
    const provider = {
      request: ({ method, params }: { method: string; params?: [`0x${string}`] }) => {
        sent.push(method);
        if (params) signed.push(hexToString(params[0]));
        return new Promise(() => {});
      },
    };
    const connector = { uid: 'phone', getProvider: async () => provider, disconnect };
    const { signMessage } = createLoginActors({
      ...dependencies,
      page: {
        host: 'app.example.com',
        origin: 'https://app.example.com',
        assign: () => {},
        replace: () => {},
      },
      wallets: { connectors: [connector] } as unknown as LoginDependencies['wallets'],
      client: { ...dependencies.client, getNonce: () => nonce },
    });
    const wallet = { id: 'phone', name: 'Phone', isRemote: true };
    const actor = createActor(signMessage, { input: { ...account, wallet } as never });
    actor.subscribe({ error: () => {} });
    actor.start();
    return { actor, sent, signed, disconnect, sendNonce };
  }

  test('takes the time of the message from the portal, because the clock of a phone can be wrong', async () => {
    const { actor, signed, sendNonce } = startSigning();
    sendNonce();
    await settled();
    expect(signed.join()).toContain('Issued At: 2026-01-01T00:00:00.000Z');
    actor.stop();
  });

  test('disconnects the paired wallet at once, although the wallet has not answered', async () => {
    const { actor, sent, disconnect, sendNonce } = startSigning();
    sendNonce();
    await settled();
    expect(sent).toEqual(['personal_sign']);
    expect(disconnect).not.toHaveBeenCalled();
    actor.stop();
    expect(disconnect).toHaveBeenCalledTimes(1);
  });

  test('asks the wallet for nothing if it is cancelled before the nonce arrives', async () => {
    const { actor, sent, sendNonce } = startSigning();
    actor.stop();
    sendNonce();
    await settled();
    expect(sent).toEqual([]);
  });
});
