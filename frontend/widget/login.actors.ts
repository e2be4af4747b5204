import type { Address } from 'viem';
import type { Config } from 'wagmi';
import { fromPromise } from 'xstate';
import { callbackAddress, providerAddress, type PassportSettings } from './identity.addresses';
import type { IdentityClient } from './identity.client';
import { LoginError } from './login.failure';
import type {
  Credentials,
  Destination,
  LoginTokens,
  SignedMessage,
  Wallet,
  WalletAccount,
} from './login.types';
import { connectAccount, loginMessage, signLogin, type Eip1193 } from './wallet.signer';

/** What the login machine's actors reach for in the world. */
export interface LoginWorld {
  client: IdentityClient;
  wallets: Config;
  settings: PassportSettings;
  page: Pick<Location, 'host' | 'origin' | 'assign'>;
}

/** The provider behind a chosen wallet; throws `LoginError` `walletMissing` when its extension went away. */
async function providerOf(wallets: Config, { id }: Wallet): Promise<Eip1193> {
  const connector = wallets.connectors.find(({ uid }) => uid === id);
  const provider = await connector?.getProvider();
  if (!provider) throw new LoginError({ code: 'walletMissing' });
  return provider as Eip1193;
}

/** The actors of the login machine over the real identity service, the wallets of this browser and its address bar. */
export function createLoginActors({ client, wallets, settings, page }: LoginWorld) {
  return {
    logIn: fromPromise<LoginTokens, Credentials>(
      async ({ input, signal }) => (await client.logIn(input.email, input.password, signal)).token,
    ),
    register: fromPromise<LoginTokens, Credentials>(
      async ({ input, signal }) =>
        (await client.register(input.email, input.password, input.passwordConfirm, signal)).token,
    ),
    connectWallet: fromPromise<string, Wallet>(async ({ input }) =>
      connectAccount(await providerOf(wallets, input)),
    ),
    signMessage: fromPromise<SignedMessage, WalletAccount>(async ({ input, signal }) => {
      const { nonce } = await client.getNonce(signal);
      signal.throwIfAborted();
      const message = loginMessage(page, input.address as Address, nonce, new Date());
      return signLogin(await providerOf(wallets, input.wallet), message);
    }),
    verifySignature: fromPromise<LoginTokens, SignedMessage>(
      async ({ input, signal }) => (await client.verify(input, signal)).token,
    ),
    leavePage: fromPromise<void, Destination>(async ({ input }) => {
      page.assign(
        input.kind === 'provider'
          ? providerAddress(settings, input.provider)
          : callbackAddress(settings.authCallbackUrl, input.tokens),
      );
    }),
  };
}
