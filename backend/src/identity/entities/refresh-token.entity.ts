import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A refresh token, stored as its SHA-256 (it has 256 random bits). One per session; access tokens contain its id as
 * `sid`.
 */
@Entity('refresh_tokens')
export class RefreshToken {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'user_id' }) userId: string;
  /** The first session of a chain in which each replaced the previous one; they end together and are shown as one. */
  @Column('uuid', { name: 'chain_id' }) chainId: string;
  @Column('bytea', { name: 'token_hash' }) tokenHash: Buffer;
  @Column('text') provider: string;
  /** The linked identity used to sign in; null for a password, and once that identity is unlinked. */
  @Column('uuid', { name: 'identity_id', nullable: true }) identityId: string | null;
  /**
   * The origin of the portal or app it was created for, its authorized party; null for sessions from before this was
   * stored.
   */
  @Column('text', { nullable: true }) party: string | null;
  /** The person's connection to the project whose app the session belongs to; null for a session of a portal. */
  @Column('uuid', { name: 'connection_id', nullable: true }) connectionId: string | null;
  @Column('text', { name: 'user_agent', nullable: true }) userAgent: string | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'last_used_at', default: () => 'now()' }) lastUsedAt: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt: Date;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt: Date | null;
}
