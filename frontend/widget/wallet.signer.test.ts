import { expect, test } from '@jest/globals';
import { siweMessage, walletVerify } from '@orange-id/contract/identity.schema';
import { hexToString, verifyMessage, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseSiweMessage } from 'viem/siwe';
import { LoginError } from './login.failure';
import { connectAccount, loginMessage, signLogin, walletFailure, type Eip1193 } from './wallet.signer';

const account = privateKeyToAccount(generatePrivateKey());
const page = { host: 'portal.example.com:8443', origin: 'https://portal.example.com:8443' };
const now = new Date('2026-01-01T00:00:00.000Z');
const nonce = '0123456789abcdef0123456789abcdef';

type Answers = Record<string, (params?: unknown[]) => unknown>;

function wallet(answers: Answers) {
  const calls: [string, unknown[]?][] = [];
  const provider: Eip1193 = {
    request: async ({ method, params }) => {
      calls.push(params ? [method, params] : [method]);
      const answer = answers[method];
      if (!answer) throw Object.assign(new Error(`${method} is not supported`), { code: 4200 });
      return answer(params);
    },
  };
  return { provider, calls };
}
const throwing = (code: number, message: string) => () => {
  throw Object.assign(new Error(message), { code });
};
const shared = { eth_requestAccounts: () => [account.address.toLowerCase()], eth_chainId: () => '0x1' };
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('The call was expected to fail')),
    (error: unknown) => (error instanceof LoginError ? error.failure : Promise.reject(error)),
  );

test('the address is checksummed, and a wallet on mainnet is not asked to switch', async () => {
  const { provider, calls } = wallet(shared);
  expect(await connectAccount(provider)).toBe(account.address);
  expect(calls).toEqual([['eth_requestAccounts'], ['eth_chainId']]);
});

test('a wallet on another chain is asked once to switch to mainnet', async () => {
  let chain = '0x89';
  const { provider, calls } = wallet({
    ...shared,
    eth_chainId: () => chain,
    wallet_switchEthereumChain: () => void (chain = '0x1'),
  });
  expect(await connectAccount(provider)).toBe(account.address);
  expect(calls[2]).toEqual(['wallet_switchEthereumChain', [{ chainId: '0x1' }]]);
});

test.each([
  ['claims to have switched but did not', { wallet_switchEthereumChain: () => null }],
  ['declines to switch', { wallet_switchEthereumChain: throwing(4001, 'No') }],
  ['does not know mainnet', { wallet_switchEthereumChain: throwing(4902, 'Unknown') }],
  ['cannot switch', {}],
  ['does not tell its network', { eth_chainId: throwing(4200, 'Unsupported') }],
] as [string, Answers][])('a wallet that %s connects all the same', async (_, answers) => {
  const { provider } = wallet({ ...shared, eth_chainId: () => 137, ...answers });
  expect(await connectAccount(provider)).toBe(account.address);
});

test.each([
  [{ eth_requestAccounts: throwing(4001, 'User rejected') }, 'walletRejected'],
  [{ eth_requestAccounts: throwing(5000, 'User rejected') }, 'walletRejected'],
  [{ eth_requestAccounts: throwing(-32002, 'Already pending') }, 'walletBusy'],
  [{ eth_requestAccounts: throwing(4100, 'Locked') }, 'walletFailed'],
  [{ eth_requestAccounts: () => [] }, 'walletFailed'],
  [{ eth_requestAccounts: () => ['0x123'] }, 'walletFailed'],
  [{ eth_requestAccounts: () => null }, 'walletFailed'],
  [{ eth_chainId: () => '0x5', wallet_switchEthereumChain: throwing(-32002, 'Pending') }, 'walletBusy'],
] as [Answers, string][])('connecting case %# fails as %s', async (answers, code) => {
  const { provider } = wallet({ ...shared, ...answers });
  expect((await failureOf(connectAccount(provider))).code).toBe(code);
});

test('the wallet signs the canonical message, and the signature belongs to the account', async () => {
  const message = loginMessage(page, account.address, nonce, now);
  let text = '';
  const { provider } = wallet({
    personal_sign: (params) => {
      const [hex, address] = params as [Hex, Hex];
      expect(address).toBe(account.address);
      text = hexToString(hex);
      return account.signMessage({ message: { raw: hex } });
    },
  });
  const signed = await signLogin(provider, message);
  expect(text).toBe(
    [
      'portal.example.com:8443 wants you to sign in with your Ethereum account:',
      account.address,
      '',
      'Sign in to Bedrock Passport',
      '',
      'URI: https://portal.example.com:8443',
      'Version: 1',
      'Chain ID: 1',
      `Nonce: ${nonce}`,
      'Issued At: 2026-01-01T00:00:00.000Z',
    ].join('\n'),
  );
  expect(parseSiweMessage(text)).toMatchObject({ domain: page.host, nonce, chainId: 1 });
  expect(siweMessage.parse(signed.message)).toEqual(message);
  expect(walletVerify.safeParse(signed).success).toBe(true);
  const proof = { address: account.address, message: text, signature: signed.signature as Hex };
  expect(await verifyMessage(proof)).toBe(true);
});

test('a declined signature and a wallet that returns none are different failures', async () => {
  const message = loginMessage(page, account.address, nonce, now);
  const declined = wallet({ personal_sign: throwing(4001, 'User denied message signature') }).provider;
  expect((await failureOf(signLogin(declined, message))).code).toBe('walletRejected');
  const silent = wallet({ personal_sign: () => null }).provider;
  expect(await failureOf(signLogin(silent, message))).toEqual({
    code: 'walletFailed',
  });
});

test('an error code is found however deeply the wallet wrapped it, and any thrown value is handled', () => {
  const wrapped = { message: 'outer', cause: { cause: { code: 4001 } } };
  expect(walletFailure(wrapped).failure).toEqual({ code: 'walletRejected', message: 'outer' });
  const circular: { cause?: unknown } = {};
  circular.cause = circular;
  for (const thrown of [undefined, null, 'text', 7, circular]) {
    expect(walletFailure(thrown).failure).toEqual({ code: 'walletFailed' });
  }
});
