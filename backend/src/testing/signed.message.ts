import type { SiweMessage } from '@orange-id/contract/identity.schema';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { TestApp } from './test.app.js';

/**
 * A message for this portal with a fresh nonce, signed by the wallet: the EIP-4361 text of its fields, written out
 * here.
 */
export async function signedMessage(
  portal: Pick<TestApp, 'call' | 'url'>,
  wallet: PrivateKeyAccount,
): Promise<{ message: SiweMessage; signature: string }> {
  const { nonce } = (await portal.call('GET', '/api/v1/message/nonce')).body;
  const message = {
    domain: new URL(portal.url).host,
    address: wallet.address,
    statement: 'Sign in to Bedrock Passport',
    uri: portal.url,
    version: '1' as const,
    chainId: 1,
    nonce,
    issuedAt: new Date().toISOString(),
  };
  const text = `${message.domain} wants you to sign in with your Ethereum account:
${message.address}

${message.statement}

URI: ${message.uri}
Version: ${message.version}
Chain ID: ${message.chainId}
Nonce: ${message.nonce}
Issued At: ${message.issuedAt}`;
  return { message, signature: await wallet.signMessage({ message: text }) };
}
