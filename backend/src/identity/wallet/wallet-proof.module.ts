import { Module } from '@nestjs/common';
import { ChainModule } from '../../chain/chain.module.js';
import { NoncesService } from './nonces.service.js';
import { SignatureVerifier } from './signature.verifier.js';

/** Nonces and signatures of wallets, which need no account: also used with a hosted identity service. */
@Module({
  imports: [ChainModule],
  providers: [NoncesService, SignatureVerifier],
  exports: [NoncesService, SignatureVerifier],
})
export class WalletProofModule {}
