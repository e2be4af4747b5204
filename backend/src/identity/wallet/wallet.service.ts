import { Inject, Injectable } from '@nestjs/common';
import type { LoginResult, WalletLink, WalletVerify } from '@orange-id/contract/identity.schema';
import { DataSource } from 'typeorm';
import type { Address, Hex } from 'viem';
import { otherPortalsOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { newId } from '../../database/new.id.js';
import { PortalError } from '../../http/portal.error.js';
import { holdIdentity } from '../account.lock.js';
import { LinkedIdentity } from '../methods/linked-identity.entity.js';
import { NoncesService } from './nonces.service.js';
import type { SignInClient } from '../sign-ins/sign-in.client.js';
import { SignInsService } from '../sign-ins/sign-ins.service.js';
import { SignatureVerifier } from './signature.verifier.js';
import { canonicalSiwe } from './siwe.rule.js';
import { requireTenant } from '../tenant.rule.js';
import { embeddedIssuer, User } from '../user.entity.js';

/** Accounts whose sign-in is the signature of an Ethereum wallet. */
@Injectable()
export class WalletService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly nonces: NoncesService,
    private readonly signatures: SignatureVerifier,
    private readonly signIns: SignInsService,
  ) {}

  /**
   * Signs in the owner of a wallet, for the portal that the message names; the account is made at its first sign-in,
   * without an e-mail or a name. Throws `auth.tenantUnknown` and what `proveWallet` throws.
   */
  async verify(
    { message, signature, tenantId }: WalletVerify,
    { userAgent }: SignInClient,
  ): Promise<LoginResult> {
    requireTenant(tenantId, this.environment.TENANT_ID);
    const address = await this.proveWallet({ message, signature });
    const { userId, identityId } = await this.accountOf(address);
    return this.signIns.begin(userId, 'wallet', { userAgent, origin: message.uri }, { identityId });
  }

  /**
   * The checksummed address whose owner signed this message for this portal just now; uses its nonce up, whatever
   * comes of it. Throws `auth.messageInvalid`, `auth.nonceInvalid`, `auth.signatureInvalid` or `chain.unavailable`.
   */
  async proveWallet({ message, signature }: WalletLink): Promise<Address> {
    const { text, address } = canonicalSiwe(message, {
      portals: [this.environment.PUBLIC_URL, ...otherPortalsOf(this.environment)],
      nowMs: Date.now(),
    });
    // The nonce is used up before the signature is looked at, so that nothing can be tried twice with one.
    if (!(await this.nonces.consume(message.nonce))) throw new PortalError('auth.nonceInvalid');
    await this.signatures.require(address, text, signature as Hex);
    return address;
  }

  private accountOf(address: Address): Promise<{ userId: string; identityId: string }> {
    return this.dataSource.transaction(async (manager) => {
      await holdIdentity(manager, 'wallet', address);
      const known = await manager.findOneBy(LinkedIdentity, { provider: 'wallet', subject: address });
      if (known) return { userId: known.userId, identityId: known.id };
      const id = newId();
      const identityId = newId();
      await manager.insert(User, {
        id,
        issuer: embeddedIssuer,
        subject: id,
        ethAddress: address,
        provider: 'wallet',
      });
      await manager.insert(LinkedIdentity, {
        id: identityId,
        userId: id,
        provider: 'wallet',
        subject: address,
      });
      return { userId: id, identityId };
    });
  }
}
