import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { MasterSecrets } from './master.secret.js';

/** An encrypted value, with the version of its master secret. */
export interface Sealed {
  bytes: Buffer;
  version: number;
}

/** The purpose of a subkey; each purpose has its own key. */
export type SecretPurpose =
  'api-key.lookup' | 'api-key.store' | 'signing-key.store' | 'mail.store' | 'forum.unsubscribe' | 'canary';

/**
 * All cryptography with the master secret: HKDF-SHA-256 subkeys per purpose, HMAC-SHA-256 for look-ups, AES-256-GCM for
 * storage. A version is derived from the secret itself, so that rows name the secret they need.
 */
export class SecretsService {
  readonly version: number;
  private readonly secrets = new Map<number, string>();
  private readonly subkeys = new Map<string, Buffer>();

  constructor(master: MasterSecrets) {
    this.version = versionOf(master.current);
    this.secrets.set(this.version, master.current);
    if (master.previous !== null) this.secrets.set(versionOf(master.previous), master.previous);
  }

  /** The available versions, the current one first. */
  get versions(): number[] {
    return [...this.secrets.keys()];
  }

  /** The 32-byte subkey of a purpose. Throws if no secret of that version is configured. */
  subkey(purpose: SecretPurpose, version = this.version): Buffer {
    const name = `${purpose}:${version}`;
    const known = this.subkeys.get(name);
    if (known) return known;
    const secret = this.secrets.get(version);
    if (secret === undefined) throw new Error(`no secret of version ${version}; set PORTAL_SECRET_PREVIOUS`);
    const key = Buffer.from(hkdfSync('sha256', secret, 'orange-id-portal', purpose, 32));
    this.subkeys.set(name, key);
    return key;
  }

  /**
   * Keyed hash of a value, 32 bytes: equal values have equal hashes, and without the secret the hash reveals nothing.
   */
  lookupHash(purpose: SecretPurpose, value: string, version = this.version): Buffer {
    return createHmac('sha256', this.subkey(purpose, version)).update(value).digest();
  }

  /** Encrypts; decryption needs the same `context` (the row's id). */
  seal(purpose: SecretPurpose, plain: string, context: string): Sealed {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.subkey(purpose), nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return { bytes: Buffer.concat([nonce, cipher.getAuthTag(), body]), version: this.version };
  }

  /** Decrypts; throws if the secret, the purpose or the context differs or the bytes were altered. */
  open(purpose: SecretPurpose, sealed: Sealed, context: string): string {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.subkey(purpose, sealed.version),
      sealed.bytes.subarray(0, 12),
    )
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.bytes.subarray(28)), decipher.final()]).toString('utf8');
  }
}

/** A positive 31-bit number that identifies a secret without revealing it. */
function versionOf(secret: string): number {
  return (
    createHash('sha256').update('orange-id-portal:version:').update(secret).digest().readUInt32BE(0) >>> 1
  );
}
