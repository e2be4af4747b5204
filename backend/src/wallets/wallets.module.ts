import { Module } from '@nestjs/common';
import { WalletProofModule } from '../identity/wallet/wallet-proof.module.js';
import { ConnectedWalletsController } from './connected-wallets.controller.js';
import { ConnectedWalletsService } from './connected-wallets.service.js';

/** Wallets that are connected through a project's key. */
@Module({
  imports: [WalletProofModule],
  controllers: [ConnectedWalletsController],
  providers: [ConnectedWalletsService],
  exports: [ConnectedWalletsService],
})
export class WalletsModule {}
