import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { DataSource } from 'typeorm';
import { hashMessage, isAddressEqual, recoverAddress, size } from 'viem/utils';
import type { Address, Hex } from 'viem';
import { SmartAccounts } from '../../chain/smart.accounts.js';
import { PortalError } from '../../http/portal.error.js';
import { isProvenByKey } from './key.proof.js';

/** What a signature was checked with: the address's own key, or the answer of the Ethereum node about the account there. */
export type ProvenBy = 'key' | 'chain';

/** Checks signatures over messages (ERC-191) by keys and by smart accounts. */
@Injectable()
export class SignatureVerifier {
  constructor(
    private readonly smartAccounts: SmartAccounts,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * A key's signature is checked without asking the chain, and an address that ever proved itself by its key is never
   * accepted through the chain: whoever runs the node could answer for it. Throws `auth.signatureInvalid`, and what
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
