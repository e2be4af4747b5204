import type { LoginResult } from '@orange-id/contract/identity.schema';
import type { Address } from 'viem';
import type { Config, Connector } from 'wagmi';
import { fromCallback, fromPromise, type EventObject } from 'xstate';
import { callbackAddress, linkAddress, providerAddress, type PassportSettings } from './identity.addresses';
import type { IdentityClient } from './identity.client';
import { LoginError, toLoginFailure } from './login.failure';
import type {
  Credentials,
  Destination,
  LoginMethod,
  LoginPurpose,
  LoginOutcome,
  SignedMessage,
  Wallet,
  WalletAccount,
} from './login.types';
import { endPairing, pairAccount } from './wallet.connect';
import { connectAccount, loginMessage, signLogin, type Eip1193 } from './wallet.signer';

/** What the login machine's actors reach for in the world. */
export interface LoginWorld {
  client: IdentityClient;
  wallets: Config;
  settings: PassportSettings;
  page: Pick<Location, 'host' | 'origin' | 'assign' | 'replace'>;
  purpose: LoginPurpose;
  /** The entry shown is one that the panel added to the history: what comes after the panel takes its place. */
  keepsHistory?: boolean;
  /** Notes that a sign-in leaves this tab; answers the value it comes back with. */
  markTab(): string;
  /** The access token of who is signed in here; null when nobody is. */
  readToken(): string | null;
  /** Called once it is proven whose account it is. */
  onProven(): void;
  /** Called when this method cannot be added before that is proven once more. */
  onProofRequired(method: LoginMethod): void;
}

/** The connector of a chosen wallet; throws `LoginError` `walletMissing` when its extension went away. */
function connectorOf(wallets: Config, { id }: Wallet): Connector {
  const connector = wallets.connectors.find(({ uid }) => uid === id);
  if (!connector) throw new LoginError({ code: 'walletMissing' });
  return connector;
}

/** The provider behind a chosen wallet; throws as `connectorOf` does. */
async function providerOf(wallets: Config, wallet: Wallet): Promise<Eip1193> {
  const provider = await connectorOf(wallets, wallet).getProvider();
  if (!provider) throw new LoginError({ code: 'walletMissing' });
  return provider as Eip1193;
}

/**
 * The actors of the login machine. To link, and to prove whose account it is, the same passwords and signatures go to
 * other addresses of the service, in the name of who is signed in.
 */
export function createLoginActors(world: LoginWorld) {
  if (world.purpose === 'link') return { ...signInActors(world), ...linkActors(world) };
  return world.purpose === 'prove' ? { ...signInActors(world), ...proofActors(world) } : signInActors(world);
}

/** The actors over the real identity service, the wallets of this browser and its address bar. */
function signInActors({ client, wallets, settings, page, keepsHistory, markTab }: LoginWorld) {
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
      // A pairing is for one signature.
      const letGo = () => input.wallet.isRemote && void endPairing(connectorOf(wallets, input.wallet));
      signal.addEventListener('abort', letGo);
      try {
        const { nonce } = await client.getNonce(signal);
        signal.throwIfAborted();
        const message = loginMessage(page, input.address as Address, nonce, new Date());
        return await signLogin(await providerOf(wallets, input.wallet), message);
      } finally {
        signal.removeEventListener('abort', letGo);
        letGo();
      }
    }),
    verifySignature: fromPromise<LoginOutcome, SignedMessage>(
      async ({ input, signal }) => (await client.verify(input, signal)).token,
    ),
    leavePage: fromPromise<void, Destination>(async ({ input }) => {
      if (input.kind === 'provider') page.assign(providerAddress(settings, input.provider, markTab()));
      if (input.kind !== 'callback') return;
      const address = callbackAddress(settings.authCallbackUrl, input.tokens, markTab());
      if (keepsHistory) page.replace(address);
      else page.assign(address);
    }),
  };
}

/** The access token of who is signed in; throws `LoginError` `sessionEnded` when nobody is. */
function requireToken({ readToken }: LoginWorld): string {
  const stored = readToken();
  if (stored === null) throw new LoginError({ code: 'sessionEnded' });
  return stored;
}

/** What linking does otherwise than signing in. Each throws `LoginError` `sessionEnded` when nobody is signed in. */
function linkActors(world: LoginWorld) {
  const { client, settings, page, markTab, onProofRequired } = world;
  /** Without a proof that is young enough the page asks for one. */
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
      add('email', client.linkEmail(requireToken(world), input, signal)),
    ),
    verifySignature: fromPromise<LoginOutcome, SignedMessage>(({ input, signal }) =>
      add('wallet', client.linkWallet(requireToken(world), input, signal)),
    ),
    leavePage: fromPromise<void, Destination>(async ({ input }) => {
      if (input.kind === 'provider')
        page.assign(linkAddress(settings, input.provider, requireToken(world), markTab()));
      if (input.kind === 'callback')
        page.assign(callbackAddress(settings.authCallbackUrl, input.tokens, markTab()));
    }),
  };
}

/** What proving whose account it is does otherwise than signing in. Throws as linking does. */
function proofActors(world: LoginWorld) {
  const { client, page, onProven } = world;
  return {
    logIn: fromPromise<LoginOutcome, Credentials>(async ({ input: { password }, signal }) => {
      await client.prove(requireToken(world), { password }, signal);
      return null;
    }),
    verifySignature: fromPromise<LoginOutcome, SignedMessage>(
      async ({ input: { message, signature }, signal }) => {
        await client.prove(requireToken(world), { message, signature }, signal);
        return null;
      },
    ),
    leavePage: fromPromise<void, Destination>(async ({ input, signal }) => {
      if (input.kind === 'provider')
        page.assign((await client.beginProof(requireToken(world), input.provider, signal)).href);
      if (input.kind === 'proven') onProven();
    }),
  };
}
