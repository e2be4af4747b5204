import { Injectable } from '@nestjs/common';
import { hashMessage, isAddressEqual, recoverAddress } from 'viem/utils';
import type { Address, Hex } from 'viem';
import { SmartAccounts } from '../../chain/smart.accounts.js';
import { PortalError } from '../../http/portal.error.js';

/** Tells whether a signature over a message (ERC-191) is an address's: of its own key, or of the smart account there. */
@Injectable()
export class SignatureVerifier {
  constructor(private readonly smartAccounts: SmartAccounts) {}

  /**
   * A key's signature is checked without asking anybody; only what is not one goes to the chain. Throws
   * `auth.signatureInvalid`, or `chain.unavailable` when only the chain could say and cannot be asked.
   */
  async require(address: Address, text: string, signature: Hex): Promise<void> {
    const hash = hashMessage(text);
    const signer = await recoverAddress({ hash, signature }).catch(() => null);
    if (signer !== null && isAddressEqual(signer, address)) return;
    if (!(await this.smartAccounts.hasSigned(address, hash, signature))) {
      throw new PortalError('auth.signatureInvalid');
    }
  }
}
