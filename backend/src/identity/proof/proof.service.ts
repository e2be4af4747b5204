import { Injectable } from '@nestjs/common';
import type { WalletLink } from '@orange-id/contract/identity.schema';
import { DataSource } from 'typeorm';
import { PortalError } from '../../http/portal.error.js';
import { LinkedIdentity } from '../entities/linked-identity.entity.js';
import { requireNoKeyProof } from '../sessions/key.proof.js';
import { WalletService } from '../wallet/wallet.service.js';

/** Verifies wallet signatures that confirm a user's identity. */
@Injectable()
export class ProofService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: WalletService,
  ) {}

  /**
   * Requires that a wallet of the account has just signed this message, under the rules of signing in. Throws what
   * `WalletService.proveWalletHere` throws, and `auth.proofInvalid` for a wallet that the account has not linked.
   */
  async requireWallet(userId: string, signed: WalletLink): Promise<void> {
    const { address: subject, by } = await this.wallets.proveWalletHere(signed);
    if (by === 'chain') {
      await this.dataSource.transaction((manager) => requireNoKeyProof(manager, subject));
    }
    if (!(await this.dataSource.manager.existsBy(LinkedIdentity, { userId, provider: 'wallet', subject }))) {
      throw new PortalError('auth.proofInvalid', {
        message:
          'This wallet isn’t linked to your account. Choose one that is, or confirm with another method',
      });
    }
  }
}
