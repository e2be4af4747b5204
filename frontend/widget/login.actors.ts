import type { LoginResult } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import type { PopupOutcome, PopupRequest } from '@orange-id/contract/sign-in.popup';
import type { Address } from 'viem';
import type { Config, Connector } from 'wagmi';
import { fromCallback, fromPromise, type EventObject } from 'xstate';
import {
  appProviderAddress,
  callbackAddress,
  linkAddress,
  providerAddress,
  type PassportSettings,
} from './identity.addresses';
import type { AppFlow } from './login.props';
import type { IdentityClient } from './identity.client';
import { LoginError, toLoginFailure } from './login.failure';
import type {
  Credentials,
  Destination,
  LoginMethod,
  LoginPurpose,
  LoginOutcome,
  LoginTokens,
  SecretMethod,
  SignedMessage,
  Wallet,
  WalletAccount,
} from './login.types';
import { endPairing, pairAccount } from './wallet.connect';
import { connectAccount, loginMessage, signLogin, type Eip1193 } from './wallet.signer';

/** What the login machine's actors need from the outside. */
export interface LoginDependencies {
  client: IdentityClient;
  wallets: Config;
  settings: PassportSettings;
  page: Pick<Location, 'host' | 'origin' | 'assign' | 'replace'>;
  purpose: LoginPurpose;
  /** The panel added the current history entry, so the callback page replaces it. */
  keepsHistory?: boolean;
  /** Marks this tab as the one that starts a sign-in; returns the value that the callback carries. */
  markTab(): string;
  /** Opens the service's own sign-in page; never resolves if the browser blocks windows and this page leaves. */
  openWindow(request: PopupRequest): Promise<PopupOutcome>;
  /** The sign-in for another site that this page serves. */
  app?: AppFlow;
  /** The access token of the signed-in user; null if nobody is signed in. */
  readToken(): string | null;
  /** Called once the user has confirmed that the account is theirs. */
  onProven(): void;
  /** Called when the user must confirm that the account is theirs before this method can be added. */
  onProofRequired(method: LoginMethod): void;
}

/** The connector of a chosen wallet; throws `LoginError` `walletMissing` if its extension is gone. */
function connectorOf(wallets: Config, { id }: Wallet): Connector {
  const connector = wallets.connectors.find(({ uid }) => uid === id);
  if (!connector) throw new LoginError({ code: 'walletMissing' });
  return connector;
}

/** The EIP-1193 provider of a chosen wallet; throws as `connectorOf` does. */
async function providerOf(wallets: Config, wallet: Wallet): Promise<Eip1193> {
  const provider = await connectorOf(wallets, wallet).getProvider();
  if (!provider) throw new LoginError({ code: 'walletMissing' });
  return provider as Eip1193;
}

/**
 * The login machine's actors. To link a method or to confirm the account, the same passwords and signatures go to other
 * endpoints, with the user's access token.
 */
export function createLoginActors(dependencies: LoginDependencies) {
  if (dependencies.purpose === 'link') return { ...signInActors(dependencies), ...linkActors(dependencies) };
  return dependencies.purpose === 'prove'
    ? { ...signInActors(dependencies), ...proofActors(dependencies) }
    : signInActors(dependencies);
}

/** Actors that use the real identity service, the wallets of this browser and its address bar. */
function signInActors(dependencies: LoginDependencies) {
  const { client, wallets, settings, page, keepsHistory, markTab, openWindow, app } = dependencies;
  return {
    logIn: fromPromise<LoginOutcome, Credentials>(
      async ({ input, signal }) => (await client.logIn(input.email, input.password, signal)).token,
    ),
    register: fromPromise<LoginOutcome, Credentials>(
      async ({ input, signal }) =>
        (await client.register(input.email, input.password, input.passwordConfirm, signal)).token,
    ),
    requestReset: fromPromise<void, { email: string }>(async ({ input, signal }) => {
      await client.requestReset(input.email, signal);
    }),
    pairWallet: fromCallback<EventObject, Wallet>(({ sendBack, input }) => {
      const stop = new AbortController();
      const connector = connectorOf(wallets, input);
      pairAccount(connector, (uri) => sendBack({ type: 'pairing.offer', uri }), stop.signal).then(
        (address) => sendBack({ type: 'pairing.accept', address }),
        (error: unknown) => sendBack({ type: 'pairing.fail', error }),
      );
      return () => stop.abort();
    }),
    connectWallet: fromPromise<string, Wallet>(async ({ input }) =>
      connectAccount(await providerOf(wallets, input)),
    ),
    signMessage: fromPromise<SignedMessage, WalletAccount>(async ({ input, signal }) => {
      // Each pairing serves one signature.
      const disconnect = () => input.wallet.isRemote && void endPairing(connectorOf(wallets, input.wallet));
      signal.addEventListener('abort', disconnect);
      try {
        const { nonce, now } = await client.getNonce(signal);
        signal.throwIfAborted();
        const message = loginMessage(page, input.address as Address, nonce, now ? new Date(now) : new Date());
        return await signLogin(await providerOf(wallets, input.wallet), message);
      } finally {
        signal.removeEventListener('abort', disconnect);
        disconnect();
      }
    }),
    verifySignature: fromPromise<LoginOutcome, SignedMessage>(
      async ({ input, signal }) => (await inTime(input, client.verify(input, signal))).token,
    ),
    signInElsewhere: fromPromise<LoginTokens | null, { method: SecretMethod }>(async ({ input }) => {
      const outcome = await openWindow({
        portal: new URL(settings.baseUrl).origin,
        projectId: settings.tenantId ?? settings.subscriptionKey ?? '',
        callback: settings.authCallbackUrl,
        method: input.method,
      });
      return outcome && { accessToken: outcome.token, refreshToken: outcome.refreshToken };
    }),
    leavePage: fromPromise<void, Destination>(async ({ input }) => {
      if (input.kind === 'provider') {
        page.assign(
          app
            ? appProviderAddress(settings, input.provider, app.flowId)
            : providerAddress(settings, input.provider, markTab()),
        );
      }
      if (input.kind !== 'callback') return;
      if (app) {
        app.onTokens(input.tokens);
        return;
      }
      const address = callbackAddress(settings.authCallbackUrl, input.tokens, markTab());
      if (keepsHistory) page.replace(address);
      else page.assign(address);
    }),
  };
}

/**
 * Reports a rejected message as expired if the wallet took too long to sign it. The service checks the message's time
 * first, and would blame the device's clock.
 */
async function inTime<T>({ message }: SignedMessage, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const failure = toLoginFailure(error);
    const isRejected = failure.code === 'serviceRefused' && failure.status === 401;
    const isLate = Date.now() - Date.parse(message.issuedAt) > limits.siweNonceMs;
    if (!isRejected || !isLate) throw error;
    throw new LoginError({ ...failure, code: 'requestExpired' }, { cause: error });
  }
}

/** The signed-in user's access token; throws `LoginError` `sessionEnded` if nobody is signed in. */
function requireToken({ readToken }: LoginDependencies): string {
  const stored = readToken();
  if (stored === null) throw new LoginError({ code: 'sessionEnded' });
  return stored;
}

/** Actors that differ when linking. Each throws `LoginError` `sessionEnded` if nobody is signed in. */
function linkActors(dependencies: LoginDependencies) {
  const { client, settings, page, markTab, onProofRequired } = dependencies;
  /** Reports the method if the service requires a recent proof first. */
  async function add(method: LoginMethod, call: Promise<LoginResult>): Promise<LoginOutcome> {
    try {
      return (await call).token;
    } catch (error) {
      if (toLoginFailure(error).code === 'proofRequired') onProofRequired(method);
      throw error;
    }
  }
  return {
    register: fromPromise<LoginOutcome, Credentials>(({ input, signal }) =>
      add('email', client.linkEmail(requireToken(dependencies), input, signal)),
    ),
    verifySignature: fromPromise<LoginOutcome, SignedMessage>(({ input, signal }) =>
      add('wallet', inTime(input, client.linkWallet(requireToken(dependencies), input, signal))),
    ),
    leavePage: fromPromise<void, Destination>(async ({ input }) => {
      if (input.kind === 'provider')
        page.assign(linkAddress(settings, input.provider, requireToken(dependencies), markTab()));
      if (input.kind === 'callback')
        page.assign(callbackAddress(settings.authCallbackUrl, input.tokens, markTab()));
    }),
  };
}

/** Actors that differ when confirming the account. They throw as `linkActors` does. */
function proofActors(dependencies: LoginDependencies) {
  const { client, page, onProven } = dependencies;
  return {
    logIn: fromPromise<LoginOutcome, Credentials>(async ({ input: { password }, signal }) => {
      await client.prove(requireToken(dependencies), { password }, signal);
      return null;
    }),
    verifySignature: fromPromise<LoginOutcome, SignedMessage>(
      async ({ input: { message, signature }, signal }) => {
        await inTime(
          { message, signature },
          client.prove(requireToken(dependencies), { message, signature }, signal),
        );
        return null;
      },
    ),
    leavePage: fromPromise<void, Destination>(async ({ input, signal }) => {
      if (input.kind === 'provider')
        page.assign((await client.beginProof(requireToken(dependencies), input.provider, signal)).href);
      if (input.kind === 'proven') onProven();
    }),
  };
}
