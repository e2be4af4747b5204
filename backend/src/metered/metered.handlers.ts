import { Injectable } from '@nestjs/common';
import type { KeyInfo, MeteredRouteId, WalletBalance } from '@orange-id/contract/metered.routes';
import { ChainService, parseAddress } from '../chain/chain.service.js';
import { PortalError } from '../http/portal.error.js';
import { LinkedWalletsService } from '../identity/wallet/linked-wallets.service.js';
import type { KnownKey } from './key.directory.js';

type Parameters = Readonly<Record<string, string | undefined>>;

/**
 * What each metered route does with a valid key and its checked query parameters; one method per route of the table.
 */
@Injectable()
export class MeteredHandlers implements Record<MeteredRouteId, unknown> {
  constructor(
    private readonly wallets: LinkedWalletsService,
    private readonly chain: ChainService,
  ) {}

  key(key: KnownKey): KeyInfo {
    const { name, prefix, project } = key;
    return { project: project && { code: project.code, name: project.name }, name, prefix };
  }

  async walletBalance(key: KnownKey, { address }: Parameters): Promise<WalletBalance> {
    return this.chain.walletBalance(parseAddress(address ?? (await this.linkedWallet(key.userId))));
  }

  private async linkedWallet(userId: string): Promise<string> {
    const address = await this.wallets.addressOf(userId);
    if (address === null) throw new PortalError('wallet.addressMissing');
    return address;
  }
}
