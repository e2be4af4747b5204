import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { randomBytes } from 'node:crypto';
import { PortalError } from '../../http/portal.error.js';
import { isCommonPassword } from './common.passwords.js';

/** OWASP's argon2id parameters: 19 MiB, 2 passes, 1 lane. The library's default algorithm is argon2id. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** At most this many hashes at a time, so that a burst of sign-ins leaves cores and memory for everything else. */
const atOnce = 2;
const waitingMax = 200;

/** Hashes and checks passwords with argon2id, a bounded number at a time; returns 429 if the queue is full. */
@Injectable()
export class PasswordHasher {
  private readonly places = bulkhead(atOnce, waitingMax);
  private readonly decoy = hash(randomBytes(32).toString('hex'), parameters);

  /** The hash of a new password. Throws `auth.passwordCommon`. */
  async hash(password: string): Promise<string> {
    if (isCommonPassword(password)) {
      const details = [{ path: 'password', message: 'is too common. Choose one that is harder to guess' }];
      throw new PortalError('auth.passwordCommon', { details });
    }
    return this.inTurn(() => hash(password.normalize('NFKC'), parameters));
  }

  /** Whether the password is the stored one. Without a stored one it does the same work and returns false. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const expected = stored ?? (await this.decoy);
    const isRight = await this.inTurn(() => verify(expected, password.normalize('NFKC')));
    return stored !== null && isRight;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.places.execute(work);
    } catch (cause) {
      if (!(cause instanceof BulkheadRejectedError)) throw cause;
      throw new PortalError('request.rateLimited', { retryAfterSeconds: 5, cause });
    }
  }
}
