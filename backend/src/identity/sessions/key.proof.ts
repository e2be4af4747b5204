import type { EntityManager } from 'typeorm';
import type { Address } from 'viem';
import { PortalError } from '../../http/portal.error.js';
import { holdIdentity } from '../../auth/account.locks.js';

/** Whether the key of this checksummed address has ever signed in here or linked it. */
export async function isProvenByKey(manager: EntityManager, address: Address): Promise<boolean> {
  const rows: unknown[] = await manager.query('select from key_proven_wallets where address = $1', [address]);
  return rows.length > 0;
}

/**
 * Throws `auth.signatureInvalid` if the key of this address has signed before, because the chain then no longer counts
 * for it. Locks the address: a concurrent signature by the key waits, and then sees what the caller's transaction
 * stored. Call it before `holdAccount`.
 */
export async function requireNoKeyProof(manager: EntityManager, address: Address): Promise<void> {
  await holdIdentity(manager, 'wallet', address);
  if (await isProvenByKey(manager, address)) throw new PortalError('auth.signatureInvalid');
}
