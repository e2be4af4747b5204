import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { DataSource } from 'typeorm';
import { compactSignatureToSignature, parseCompactSignature, serializeSignature } from 'viem';
import { hashMessage, isAddressEqual, recoverAddress, size } from 'viem/utils';
import type { Address, Hex } from 'viem';
import { ChainClient } from '../../chain/chain.client.js';
import { SmartAccounts } from '../../chain/smart.accounts.js';
import { PortalError } from '../../http/portal.error.js';
import { isProvenByKey } from '../sessions/key.proof.js';
import { NoncesService } from './nonces.service.js';

/** How a signature was verified: by the address's own key, or by the Ethereum node for the account there. */
export type ProvenBy = 'key' | 'chain';

/** A message whose nonce allows one attempt. */
interface SignedText {
  address: Address;
  text: string;
  signature: Hex;
  nonce: string;
}

/** Verifies signatures over messages (ERC-191) by keys and by smart accounts. */
@Injectable()
export class SignatureVerifier {
  constructor(
    private readonly nonces: NoncesService,
    private readonly smartAccounts: SmartAccounts,
    private readonly chain: ChainClient,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Consumes the message's nonce, whatever the outcome, and verifies a key's signature without the chain; an address
   * whose key has ever signed is never accepted through the chain, because the node's operator could impersonate it.
   * Throws `auth.nonceInvalid`, `auth.signatureInvalid` and what `SmartAccounts.hasSigned` throws; and
   * `service.tooManyCalls`, which consumes no nonce, if too much of `owner`, an account or a client address, waits for
   * the node.
   */
  async require(owner: string, { address, text, signature, nonce }: SignedText): Promise<ProvenBy> {
    const hash = hashMessage(text);
    if (await isByKey(address, hash, signature)) {
      await this.consume(nonce);
      return 'key';
    }
    const { limiter } = this.chain;
    return limiter.run(owner, async (): Promise<ProvenBy> => {
      limiter.spend(owner);
      await this.consume(nonce);
      const isKnown = await isProvenByKey(this.dataSource.manager, address);
      if (isKnown || !(await this.smartAccounts.hasSigned(address, hash, signature))) {
        throw new PortalError('auth.signatureInvalid');
      }
      return 'chain';
    });
  }

  private async consume(nonce: string): Promise<void> {
    if (!(await this.nonces.consume(nonce))) throw new PortalError('auth.nonceInvalid');
  }
}

const compactBytes = 64;

/** The signature of 65 bytes for a compact one (EIP-2098), whose highest bit of `s` is the parity. */
const expanded = (signature: Hex): Hex =>
  serializeSignature(compactSignatureToSignature(parseCompactSignature(signature)));

async function isByKey(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
  const whole = size(signature) === compactBytes ? expanded(signature) : signature;
  if (size(whole) !== limits.walletSignatureMinBytes) return false;
  const signer = await recoverAddress({ hash, signature: whole }).catch(() => null);
  return signer !== null && isAddressEqual(signer, address);
}
