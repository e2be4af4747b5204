import { describe, expect, test } from '@jest/globals';
import { createActor, fromPromise } from 'xstate';
import { settled } from '../src/testing/settled';
import { LoginError, type LoginFailure } from './login.failure';
import { loginMachine } from './login.machine';
import type {
  Credentials,
  Destination,
  LoginOutcome,
  LoginPurpose,
  LoginTokens,
  SecretMethod,
  SignedMessage,
  Wallet,
  WalletAccount,
} from './login.types';

const tokens: LoginTokens = { accessToken: 'access', refreshToken: 'refresh' };
const fox: Wallet = { id: 'uid-1', name: 'Fox' };
const credentials = { email: 'ann@example.com', password: 'correct horse', passwordConfirm: 'correct horse' };
const signed: SignedMessage = {
  signature: '0xabc',
  message: {
    domain: 'example.com',
    address: '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e',
    uri: 'https://example.com',
    version: '1',
    chainId: 1,
    nonce: 'abcdefgh12345678',
    issuedAt: '2026-01-01T00:00:00.000Z',
  },
};
const declined: LoginFailure = { code: 'walletRejected', message: 'no' };

interface Call<I, O> {
  input: I;
  signal: AbortSignal;
  answer(output: O): void;
  fail(error: unknown): void;
}

/** An actor whose calls wait until the test answers them. */
function waiting<O, I>() {
  const calls: Call<I, O>[] = [];
  const logic = fromPromise<O, I>(
    ({ input, signal }) => new Promise((answer, fail) => calls.push({ input, signal, answer, fail })),
  );
  const last = (): Call<I, O> => {
    const call = calls.at(-1);
    if (!call) throw new Error('The machine has not called this actor');
    return call;
  };
  return { logic, calls, last };
}

function start(purpose: LoginPurpose = 'signIn', isElsewhere = false) {
  const logIn = waiting<LoginOutcome, Credentials>();
  const register = waiting<LoginOutcome, Credentials>();
  const requestReset = waiting<void, { email: string }>();
  const connectWallet = waiting<string, Wallet>();
  const signMessage = waiting<SignedMessage, WalletAccount>();
  const verifySignature = waiting<LoginOutcome, SignedMessage>();
  const leavePage = waiting<void, Destination>();
  const signInElsewhere = waiting<LoginTokens | null, { method: SecretMethod }>();
  const panel = createActor(
    loginMachine.provide({
      actors: {
        logIn: logIn.logic,
        register: register.logic,
        requestReset: requestReset.logic,
        connectWallet: connectWallet.logic,
        signMessage: signMessage.logic,
        verifySignature: verifySignature.logic,
        leavePage: leavePage.logic,
        signInElsewhere: signInElsewhere.logic,
      },
    }),
    { input: { purpose, isElsewhere } },
  ).start();
  const value = () => panel.getSnapshot().value;
  const context = () => panel.getSnapshot().context;
  return {
    panel,
    value,
    context,
    logIn,
    register,
    requestReset,
    connectWallet,
    signMessage,
    verifySignature,
    leavePage,
    signInElsewhere,
    /** Waits until the actors' promises have settled. */
    settle: settled,
    pick(): void {
      panel.send({ type: 'wallet.choose' });
      panel.send({ type: 'wallet.pick', wallet: fox });
    },
  };
}

test('the panel starts at the choice with an empty context', () => {
  const { value, context, panel } = start();
  expect(value()).toBe('choosing');
  expect(context()).toEqual({
    purpose: 'signIn',
    isElsewhere: false,
    windowMethod: 'email',
    email: '',
    wallet: null,
    pairingUri: null,
    address: null,
    signed: null,
    destination: null,
    failure: null,
  });
  expect(panel.getSnapshot().hasTag('busy')).toBe(false);
});

test.each(['GOOGLE', 'APPLE'] as const)('choosing %s redirects to that provider', (provider) => {
  const { panel, value, leavePage } = start();
  panel.send({ type: 'provider.choose', provider });
  expect(value()).toBe('redirecting');
  expect(leavePage.last().input).toEqual({ kind: 'provider', provider });
});

describe('on a page of another origin', () => {
  test.each([
    ['email.choose', 'email'],
    ['account.create', 'email'],
    ['wallet.choose', 'wallet'],
  ] as const)('%s opens the window for %s, and its tokens go to the callback', async (type, method) => {
    const { panel, value, signInElsewhere, leavePage, settle } = start('signIn', true);
    panel.send({ type });
    expect(value()).toBe('waitingForWindow');
    expect(signInElsewhere.last().input).toEqual({ method });
    signInElsewhere.last().answer(tokens);
    await settle();
    expect(value()).toBe('redirecting');
    expect(leavePage.last().input).toEqual({ kind: 'callback', tokens });
  });

  test('a closed window, a cancellation here and Back return to the choice, which opens it again', async () => {
    const { panel, value, signInElsewhere, settle } = start('signIn', true);
    panel.send({ type: 'email.choose' });
    signInElsewhere.last().answer(null);
    await settle();
    expect(value()).toBe('choosing');
    for (const type of ['choice.return', 'page.restore'] as const) {
      panel.send({ type: 'wallet.choose' });
      expect(value()).toBe('waitingForWindow');
      panel.send({ type });
      expect(value()).toBe('choosing');
    }
    // The first window's tokens arrive too late.
    signInElsewhere.calls.at(-1)?.answer(tokens);
    await settle();
    expect(value()).toBe('choosing');
  });

  test('a window that can’t be opened is a failure, and Google is reached as before', async () => {
    const { panel, value, signInElsewhere, leavePage, settle } = start('signIn', true);
    panel.send({ type: 'email.choose' });
    signInElsewhere.last().fail(new Error('no window'));
    await settle();
    expect(value()).toBe('failed');
    panel.send({ type: 'choice.return' });
    panel.send({ type: 'provider.choose', provider: 'GOOGLE' });
    expect(leavePage.last().input).toEqual({ kind: 'provider', provider: 'GOOGLE' });
  });
});

test('the panel offers the choice again on a page restored by Back', () => {
  const { panel, value, context } = start();
  panel.send({ type: 'provider.choose', provider: 'GOOGLE' });
  panel.send({ type: 'page.restore' });
  expect(value()).toBe('choosing');
  expect(context().destination).toBeNull();
});

test('the panel shows a failure without a wallet retry if the page cannot be left', async () => {
  const { panel, value, context, leavePage, settle } = start();
  panel.send({ type: 'provider.choose', provider: 'APPLE' });
  leavePage.last().fail(new Error('blocked'));
  await settle();
  expect(value()).toBe('failed');
  expect(context().failure).toEqual({ code: 'unexpected' });
  expect(panel.getSnapshot().can({ type: 'wallet.retry' })).toBe(false);
  panel.send({ type: 'choice.return' });
  expect(value()).toBe('choosing');
});

test('signing in by email redirects to the callback with both tokens', async () => {
  const { panel, value, logIn, leavePage, settle } = start();
  panel.send({ type: 'email.choose' });
  expect(value()).toEqual({ enteringEmail: 'login' });
  panel.send({ type: 'email.submit', ...credentials });
  expect(value()).toEqual({ enteringEmail: 'loggingIn' });
  expect(panel.getSnapshot().hasTag('busy')).toBe(true);
  expect(logIn.last().input).toEqual(credentials);
  logIn.last().answer(tokens);
  await settle();
  expect(value()).toBe('redirecting');
  expect(leavePage.last().input).toEqual({ kind: 'callback', tokens });
});

test('registering by email redirects to the callback with both tokens', async () => {
  const { panel, value, register, leavePage, settle } = start();
  panel.send({ type: 'email.choose' });
  panel.send({ type: 'form.switch' });
  expect(value()).toEqual({ enteringEmail: 'register' });
  panel.send({ type: 'email.submit', ...credentials });
  expect(value()).toEqual({ enteringEmail: 'registering' });
  expect(register.last().input).toEqual(credentials);
  register.last().answer(tokens);
  await settle();
  expect(leavePage.last().input).toEqual({ kind: 'callback', tokens });
});

test('a refused login returns to its form with the reason, and the next attempt clears it', async () => {
  const { panel, value, context, logIn, settle } = start();
  panel.send({ type: 'email.choose' });
  panel.send({ type: 'email.submit', ...credentials });
  logIn.last().fail(new LoginError({ code: 'credentialsInvalid' }));
  await settle();
  expect(value()).toEqual({ enteringEmail: 'login' });
  expect(context().failure).toEqual({ code: 'credentialsInvalid' });
  panel.send({ type: 'email.submit', ...credentials });
  expect(context().failure).toBeNull();
});

test('a refused registration stays in its form, and switching to login clears the reason', async () => {
  const { panel, value, context, register, settle } = start();
  panel.send({ type: 'email.choose' });
  panel.send({ type: 'form.switch' });
  panel.send({ type: 'email.submit', ...credentials });
  register.last().fail(new LoginError({ code: 'emailTaken' }));
  await settle();
  expect(value()).toEqual({ enteringEmail: 'register' });
  expect(context().failure).toEqual({ code: 'emailTaken' });
  panel.send({ type: 'form.switch' });
  expect(value()).toEqual({ enteringEmail: 'login' });
  expect(context().failure).toBeNull();
});

test.each(['login', 'register'] as const)('the %s form can return to the choice', (form) => {
  const { panel, value } = start();
  panel.send({ type: 'email.choose' });
  if (form === 'register') panel.send({ type: 'form.switch' });
  panel.send({ type: 'choice.return' });
  expect(value()).toBe('choosing');
});

test.each(['login', 'register'] as const)('a pending %s cannot be sent twice', (form) => {
  const { panel, logIn, register } = start();
  panel.send({ type: 'email.choose' });
  if (form === 'register') panel.send({ type: 'form.switch' });
  panel.send({ type: 'email.submit', ...credentials });
  panel.send({ type: 'email.submit', ...credentials });
  for (const type of ['form.switch', 'choice.return'] as const) {
    expect(panel.getSnapshot().can({ type })).toBe(false);
  }
  expect(logIn.calls.length + register.calls.length).toBe(1);
});

test('a wallet connects, signs and is verified, and the browser goes to the callback', async () => {
  const { panel, value, pick, connectWallet, signMessage, verifySignature, leavePage, settle } = start();
  panel.send({ type: 'wallet.choose' });
  expect(value()).toBe('choosingWallet');
  panel.send({ type: 'choice.return' });
  expect(value()).toBe('choosing');
  pick();
  expect(value()).toBe('connectingWallet');
  expect(connectWallet.last().input).toEqual(fox);
  connectWallet.last().answer(signed.message.address);
  await settle();
  expect(value()).toBe('signingMessage');
  expect(signMessage.last().input).toEqual({ wallet: fox, address: signed.message.address });
  signMessage.last().answer(signed);
  await settle();
  expect(value()).toBe('verifying');
  expect(panel.getSnapshot().can({ type: 'choice.return' })).toBe(false);
  expect(verifySignature.last().input).toEqual(signed);
  verifySignature.last().answer(tokens);
  await settle();
  expect(value()).toBe('redirecting');
  expect(leavePage.last().input).toEqual({ kind: 'callback', tokens });
});

test('a declined connection is shown, and a retry asks the same wallet', async () => {
  const { panel, value, context, pick, connectWallet, settle } = start();
  pick();
  connectWallet.last().fail(new LoginError(declined));
  await settle();
  expect(value()).toBe('failed');
  expect(context().failure).toEqual(declined);
  panel.send({ type: 'wallet.retry' });
  expect(value()).toBe('connectingWallet');
  expect(context().failure).toBeNull();
  expect(connectWallet.calls.map(({ input }) => input)).toEqual([fox, fox]);
});

test.each(['signMessage', 'verifySignature'] as const)(
  'a retry after a failed %s starts over',
  async (step) => {
    const run = start();
    run.pick();
    run.connectWallet.last().answer(signed.message.address);
    await run.settle();
    if (step === 'verifySignature') {
      run.signMessage.last().answer(signed);
      await run.settle();
    }
    run[step].last().fail(new LoginError({ code: 'unreachable' }));
    await run.settle();
    expect(run.value()).toBe('failed');
    run.panel.send({ type: 'wallet.retry' });
    expect(run.value()).toBe('connectingWallet');
  },
);

test.each(['connectingWallet', 'signingMessage'] as const)(
  'cancelling in %s aborts it, and a later answer of the wallet is ignored',
  async (state) => {
    const { panel, value, pick, connectWallet, signMessage, settle } = start();
    pick();
    if (state === 'signingMessage') {
      connectWallet.last().answer(signed.message.address);
      await settle();
    }
    expect(value()).toBe(state);
    panel.send({ type: 'choice.return' });
    expect(value()).toBe('choosing');
    const call = state === 'connectingWallet' ? connectWallet.last() : signMessage.last();
    expect(call.signal.aborted).toBe(true);
    connectWallet.last().answer(signed.message.address);
    if (state === 'signingMessage') signMessage.last().answer(signed);
    await settle();
    expect(value()).toBe('choosing');
  },
);

test('an actor that was not provided fails as unexpected', async () => {
  const panel = createActor(loginMachine, { input: { purpose: 'signIn' } }).start();
  panel.send({ type: 'email.choose' });
  panel.send({ type: 'email.submit', ...credentials });
  await settled();
  expect(panel.getSnapshot().context.failure).toEqual({ code: 'unexpected' });
});

test('a forgotten password keeps the typed email, requests a link, and can return to the login form', async () => {
  const { panel, value, context, requestReset, settle } = start();
  panel.send({ type: 'email.choose' });
  panel.send({ type: 'password.forget', email: 'ann@example.co' });
  expect(value()).toEqual({ enteringEmail: 'forgetting' });
  expect(context().email).toBe('ann@example.co');
  panel.send({ type: 'reset.leave' });
  expect(value()).toEqual({ enteringEmail: 'login' });
  panel.send({ type: 'password.forget', email: 'ann@example.co' });
  panel.send({ type: 'reset.submit', email: 'ann@example.com' });
  expect(value()).toEqual({ enteringEmail: 'requestingReset' });
  expect(panel.getSnapshot().hasTag('busy')).toBe(true);
  for (const type of ['reset.leave', 'choice.return', 'form.switch'] as const) {
    expect(panel.getSnapshot().can({ type })).toBe(false);
  }
  expect(requestReset.last().input).toEqual({ email: 'ann@example.com' });
  requestReset.last().answer();
  await settle();
  expect(value()).toEqual({ enteringEmail: 'resetSent' });
  panel.send({ type: 'password.forget', email: 'ann@example.com' });
  expect(value()).toEqual({ enteringEmail: 'forgetting' });
  panel.send({ type: 'reset.submit', email: 'ann@example.com' });
  requestReset.last().answer();
  await settle();
  panel.send({ type: 'reset.leave' });
  expect(value()).toEqual({ enteringEmail: 'login' });
  expect(context().email).toBe('ann@example.com');
});

test('a failed request for a link shows the reason, and leaving the form clears it', async () => {
  const { panel, value, context, requestReset, settle } = start();
  panel.send({ type: 'email.choose' });
  panel.send({ type: 'password.forget', email: '' });
  panel.send({ type: 'reset.submit', email: 'ann@example.com' });
  requestReset.last().fail(new LoginError({ code: 'mailMissing' }));
  await settle();
  expect(value()).toEqual({ enteringEmail: 'forgetting' });
  expect(context().failure).toEqual({ code: 'mailMissing' });
  panel.send({ type: 'reset.leave' });
  expect(context().failure).toBeNull();
});

describe('to link', () => {
  test('email opens only the form that adds it', () => {
    const { panel, value } = start('link');
    panel.send({ type: 'email.choose' });
    expect(value()).toEqual({ enteringEmail: 'register' });
    expect(panel.getSnapshot().can({ type: 'form.switch' })).toBe(false);
    panel.send({ type: 'choice.return' });
    expect(value()).toBe('choosing');
  });

  test('the purpose survives every attempt, and the result goes to the callback as after a sign-in', async () => {
    const { panel, context, register, leavePage, settle } = start('link');
    panel.send({ type: 'email.choose' });
    panel.send({ type: 'choice.return' });
    expect(context().purpose).toBe('link');
    panel.send({ type: 'email.choose' });
    panel.send({ type: 'email.submit', ...credentials });
    register.last().answer(tokens);
    await settle();
    expect(leavePage.last().input).toEqual({ kind: 'callback', tokens });
  });
});

describe('confirming the account', () => {
  test('asks only for the password and then continues on the same page', async () => {
    const { panel, value, context, logIn, leavePage, settle } = start('prove');
    panel.send({ type: 'email.choose' });
    expect(value()).toEqual({ enteringEmail: 'login' });
    panel.send({ type: 'form.switch' });
    panel.send({ type: 'password.forget', email: '' });
    expect(value()).toEqual({ enteringEmail: 'login' });
    panel.send({ type: 'email.submit', email: '', password: 'secret', passwordConfirm: '' });
    logIn.last().fail(new LoginError({ code: 'passwordWrong' }));
    await settle();
    expect([value(), context().failure]).toEqual([{ enteringEmail: 'login' }, { code: 'passwordWrong' }]);
    panel.send({ type: 'email.submit', email: '', password: 'secret', passwordConfirm: '' });
    logIn.last().answer(null);
    await settle();
    expect(value()).toBe('redirecting');
    expect(leavePage.last().input).toEqual({ kind: 'proven' });
  });
});
