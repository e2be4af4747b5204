import type { SiweMessage } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { siweStatement } from '@orange-id/contract/siwe.statement';
import { getAddress, numberToHex, stringToHex, type Address } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import { LoginError, type LoginFailureCode } from './login.failure';
import type { SignedMessage } from './login.types';

/** The one EIP-1193 method this widget needs. */
export interface Eip1193 {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** Codes for a declined request: from wallets of this browser (EIP-1193) and from paired wallets (WalletConnect). */
const rejected = [4001, 5000];
const pending = -32002;

/** The numeric EIP-1193 code of a wallet's error, wherever in the chain of causes the wallet put it. */
function walletErrorCode(error: unknown): number | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth += 1) {
    const { code, cause } = at as { code?: unknown; cause?: unknown };
    if (typeof code === 'number') return code;
    at = cause;
  }
  return undefined;
}

/** The failure for a wallet's error; `otherwise` if the visitor cannot act on its code. */
export function walletFailure(error: unknown, otherwise: LoginFailureCode = 'walletFailed'): LoginError {
  const code = walletErrorCode(error);
  const message = (error as { message?: unknown } | null)?.message;
  const isRejected = code !== undefined && rejected.includes(code);
  const known = isRejected ? 'walletRejected' : code === pending ? 'walletBusy' : otherwise;
  return new LoginError(
    { code: known, ...(typeof message === 'string' && message !== '' ? { message } : {}) },
    { cause: error },
  );
}

async function ask(provider: Eip1193, method: string, params?: unknown[]) {
  try {
    return await provider.request(params ? { method, params } : { method });
  } catch (error) {
    throw walletFailure(error);
  }
}

/**
 * Asks a wallet on another network for Ethereum mainnet, the network that the message names. A wallet that does not
 * switch can sign all the same, because a message is signed for no network. Throws `LoginError` only if another request
 * is open in the wallet.
 */
async function askForMainnet(provider: Eip1193): Promise<void> {
  try {
    if (Number(await ask(provider, 'eth_chainId')) === limits.chainId) return;
    await ask(provider, 'wallet_switchEthereumChain', [{ chainId: numberToHex(limits.chainId) }]);
  } catch (error) {
    if (!(error instanceof LoginError) || error.failure.code === 'walletBusy') throw error;
  }
}

/**
 * Asks the wallet for its account and for Ethereum mainnet. Returns the EIP-55 checksummed address; throws `LoginError`
 * if the wallet shares no account.
 */
export async function connectAccount(provider: Eip1193): Promise<Address> {
  const accounts = await ask(provider, 'eth_requestAccounts');
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof account !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(account)) {
    throw new LoginError({
      code: 'walletFailed',
      message: 'No account was shared. Choose one in your wallet.',
    });
  }
  await askForMainnet(provider);
  return getAddress(account.toLowerCase() as Address);
}

/** This page's sign-in message (EIP-4361) for one address and nonce; `issuedAt` is ISO 8601. */
export function loginMessage(
  page: Pick<Location, 'host' | 'origin'>,
  address: Address,
  nonce: string,
  now: Date,
): SiweMessage {
  return {
    domain: page.host,
    address,
    statement: siweStatement,
    uri: page.origin,
    version: '1',
    chainId: limits.chainId,
    nonce,
    issuedAt: now.toISOString(),
  };
}

/** Has the wallet sign the canonical text of `message` (`personal_sign`); throws `LoginError` if it does not. */
export async function signLogin(provider: Eip1193, message: SiweMessage): Promise<SignedMessage> {
  const address = message.address as Address;
  const text = createSiweMessage({
    domain: message.domain,
    address,
    statement: message.statement,
    uri: message.uri,
    version: '1',
    chainId: message.chainId,
    nonce: message.nonce,
    issuedAt: new Date(message.issuedAt),
  });
  const signature = await ask(provider, 'personal_sign', [stringToHex(text), address]);
  if (typeof signature !== 'string') {
    throw new LoginError({ code: 'walletFailed' });
  }
  return { message, signature };
}
