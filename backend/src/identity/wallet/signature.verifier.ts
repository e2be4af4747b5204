import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { DataSource } from 'typeorm';
import { hashMessage, isAddressEqual, recoverAddress, size } from 'viem/utils';
import type { Address, Hex } from 'viem';
import { SmartAccounts } from '../../chain/smart.accounts.js';
import { PortalError } from '../../http/portal.error.js';
import { isProvenByKey } from '../sessions/key.proof.js';

/** How a signature was verified: by the address's own key, or by the Ethereum node for the account there. */
export type ProvenBy = 'key' | 'chain';

/** Verifies signatures over messages (ERC-191) by keys and by smart accounts. */
@Injectable()
export class SignatureVerifier {
  constructor(
    private readonly smartAccounts: SmartAccounts,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Verifies a key's signature without the chain; an address whose key has ever signed is never accepted through the
   * chain, because the node's operator could impersonate it. Throws `auth.signatureInvalid`, and what
   * `SmartAccounts.hasSigned` throws.
   */
  async require(address: Address, text: string, signature: Hex): Promise<ProvenBy> {
    const hash = hashMessage(text);
    if (size(signature) === limits.walletSignatureMinBytes) {
      const signer = await recoverAddress({ hash, signature }).catch(() => null);
      if (signer !== null && isAddressEqual(signer, address)) return 'key';
    }
    const isKnown = await isProvenByKey(this.dataSource.manager, address);
    if (isKnown || !(await this.smartAccounts.hasSigned(address, hash, signature))) {
      throw new PortalError('auth.signatureInvalid');
    }
    return 'chain';
  }
}
