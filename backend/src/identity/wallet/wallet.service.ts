import { Inject, Injectable } from '@nestjs/common';
import type { LoginResult, WalletLink, WalletVerify } from '@orange-id/contract/identity.schema';
import { DataSource } from 'typeorm';
import type { Address, Hex } from 'viem';
import { otherPortalsOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { newId } from '../../database/new.id.js';
import { addressKey } from '../../http/address.key.js';
import { PortalError } from '../../http/portal.error.js';
import { holdAccount, holdIdentity } from '../../auth/account.locks.js';
import { LinkedIdentity } from '../entities/linked-identity.entity.js';
import { originRefused } from '../tenants/tenant.rule.js';
import type { Tenant } from '../../auth/tenant.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { isProvenByKey, requireNoKeyProof } from '../sessions/key.proof.js';
import { ProvenBy, SignatureVerifier } from './signature.verifier.js';
import { canonicalSiwe } from './siwe.rule.js';
import { embeddedIssuer, User } from '../../auth/user.entity.js';

/** A checksummed address whose owner has just signed, and how the signature was verified. */
export interface WalletProof {
  address: Address;
  by: ProvenBy;
}

/** Accounts that sign in with the signature of an Ethereum wallet. */
@Injectable()
export class WalletService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly signatures: SignatureVerifier,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Signs in the owner of a wallet, for the portal or the app that the message names; creates the account at its first
   * sign-in, without an email address or a name. Throws `auth.originNotAllowed` and what `proveWallet` throws.
   */
  async verify(
    { message, signature }: Omit<WalletVerify, 'tenantId'>,
    { userAgent, tenant, region }: SignInClient,
    clientAddress: string,
  ): Promise<LoginResult> {
    const { address, by } = await this.proveWallet(
      addressKey(clientAddress),
      { message, signature },
      this.originsFor(tenant),
    );
    const { userId, identityId } = await this.accountOf(address);
    const proof = by === 'key' ? { identityId } : { identityId, throughChain: address };
    return this.sessions.begin(userId, 'wallet', { userAgent, origin: message.uri, tenant, region }, proof);
  }

  /**
   * The origins that a message may name. One for an app names the page that asked, and never this portal: a signature
   * that somebody got at the portal opens no app.
   */
  private originsFor(tenant: Tenant): readonly string[] {
    const { PUBLIC_URL } = this.environment;
    if (tenant.kind === 'portal') return [PUBLIC_URL, ...otherPortalsOf(this.environment)];
    if (tenant.origin === null || tenant.origin === PUBLIC_URL) {
      throw originRefused(tenant.origin ?? undefined, tenant.code);
    }
    return [tenant.origin];
  }

  /**
   * The wallet whose owner has just signed this message for one of `portals`, by default every served one; consumes the
   * nonce of a valid message even if the signature is wrong. Records a wallet that signs with its key. A caller that
   * stores the result of a verification by the chain calls `requireNoKeyProof` in the same transaction. Throws
   * `auth.messageInvalid`, `auth.nonceInvalid`, `auth.signatureInvalid`, `auth.smartAccountsUnavailable` or
   * `chain.unavailable`; and `service.tooManyCalls` if too much of `owner`, an account or a client address, waits for the
   * node, which consumes no nonce.
   */
  async proveWallet(
    owner: string,
    { message, signature }: WalletLink,
    portals: readonly string[] = [this.environment.PUBLIC_URL, ...otherPortalsOf(this.environment)],
  ): Promise<WalletProof> {
    const { text, address } = canonicalSiwe(message, { portals, nowMs: Date.now() });
    const signed = { address, text, signature: signature as Hex, nonce: message.nonce };
    const by = await this.signatures.require(owner, signed);
    if (by === 'key') await this.noteKeyProof(address);
    return { address, by };
  }

  /**
   * Records that the key of an address has signed. The first time, ends the existing sessions of the wallet: they were
   * opened by a contract’s signature, or before this was recorded.
   */
  private async noteKeyProof(address: Address): Promise<void> {
    if (await isProvenByKey(this.dataSource.manager, address)) return;
    await this.dataSource.transaction(async (manager) => {
      await holdIdentity(manager, 'wallet', address);
      // Another request of the owner may have recorded it since, and begun a session that must not end here.
      if (await isProvenByKey(manager, address)) return;
      await manager.query('insert into key_proven_wallets (address) values ($1)', [address]);
      const known = await manager.findOneBy(LinkedIdentity, { provider: 'wallet', subject: address });
      if (!known) return;
      const { userId, id: identityId } = known;
      await holdAccount(manager, userId);
      await this.sessions.endByMethod(manager, { userId, provider: 'wallet', identityId, keepId: null });
    });
  }

  /**
   * Like `proveWallet`, for a message that names this portal and no other served one: changes to an account must be
   * requested here.
   */
  proveWalletHere(userId: string, signed: WalletLink): Promise<WalletProof> {
    return this.proveWallet(userId, signed, [this.environment.PUBLIC_URL]);
  }

  /**
   * Requires that a wallet of the account has just signed this message, under the rules of signing in. Throws what
   * `proveWalletHere` throws, and `auth.proofInvalid` for a wallet that the account has not linked.
   */
  async requireLinked(userId: string, signed: WalletLink): Promise<void> {
    const { address: subject, by } = await this.proveWalletHere(userId, signed);
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
