import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { LoginResult } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { createHash, randomBytes } from 'node:crypto';
import { Repository } from 'typeorm';
import { newId } from '../../database/new.id.js';
import { PortalError } from '../../http/portal.error.js';
import { AccessTokenSigner } from '../tokens/access-token.signer.js';
import { RefreshToken } from './refresh-token.entity.js';
import { SessionEndings } from './session.endings.js';
import { User } from '../user.entity.js';

/** SQL on `refresh_tokens` for 'this sign-in still stands': not revoked, used within 30 days, not 90 days old. */
const standing = `revoked_at is null and expires_at > now()
  and last_used_at > now() - make_interval(secs => ${limits.refreshTokenSeconds})`;

/**
 * Sign-ins: each is one refresh token, which stays the same while it lives (several tabs of the identity client
 * refresh at once and keep the old one), is stored as its hash, and ends after 30 idle days, 90 days or at logout.
 */
@Injectable()
export class SignInsService {
  constructor(
    @InjectRepository(RefreshToken) private readonly signIns: Repository<RefreshToken>,
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly signer: AccessTokenSigner,
    private readonly endings: SessionEndings,
  ) {}

  /** Begins a sign-in and answers both tokens; the refresh token is told here once and never again. */
  async begin(userId: string, provider: string): Promise<LoginResult> {
    const id = newId();
    const refreshToken = randomBytes(32).toString('base64url');
    await this.signIns.insert({
      id,
      userId,
      tokenHash: hashOf(refreshToken),
      provider,
      expiresAt: new Date(Date.now() + limits.signInMaxSeconds * 1000),
    });
    await this.signIns
      .createQueryBuilder()
      .delete()
      .where('user_id = :userId and expires_at <= now()', { userId })
      .execute();
    const accessToken = await this.signer.sign({ userId, sessionId: id, provider });
    return { user: { id: userId }, token: { accessToken, refreshToken } };
  }

  /** A new access token of the same sign-in. Throws `auth.refreshInvalid` when the token is unknown or has ended. */
  async refresh(refreshToken: string): Promise<string> {
    const { raw } = await this.signIns
      .createQueryBuilder('signIn')
      .update()
      .set({ lastUsedAt: () => 'now()' })
      .where(`token_hash = :hash and ${standing}`, { hash: hashOf(refreshToken) })
      .returning(['id', 'userId', 'provider'])
      .execute();
    const row = (raw as { id: string; user_id: string; provider: string }[])[0];
    if (!row) throw new PortalError('auth.refreshInvalid');
    return this.signer.sign({ userId: row.user_id, sessionId: row.id, provider: row.provider });
  }

  /** The user of a sign-in that still stands, in one query; null otherwise. */
  findUser(sessionId: string, userId: string): Promise<User | null> {
    return this.users
      .createQueryBuilder('user')
      .where('user.id = :userId', { userId })
      .andWhere(
        `exists (select from refresh_tokens where id = :sessionId and user_id = :userId and ${standing})`,
        { sessionId },
      )
      .getOne();
  }

  /** Whether this refresh token belongs to this sign-in. */
  async owns(sessionId: string, refreshToken: string): Promise<boolean> {
    return this.signIns.existsBy({ id: sessionId, tokenHash: hashOf(refreshToken) });
  }

  /** Ends a sign-in: its refresh token and every access token that came from it are dead from now on. */
  async end(sessionId: string): Promise<void> {
    await this.signIns
      .createQueryBuilder()
      .update()
      .set({ revokedAt: () => 'now()' })
      .where('id = :sessionId and revoked_at is null', { sessionId })
      .execute();
    this.endings.emit(sessionId, 'signedOut');
  }
}

const hashOf = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken).digest();
