import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A refresh token, stored as its SHA-256 (it has 256 bits of its own). One per sign-in; access tokens name its id as `sid`. */
@Entity('refresh_tokens')
export class RefreshToken {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'user_id' }) userId: string;
  /** The first sign-in of those that took each other's place; they end together and are shown as one. */
  @Column('uuid', { name: 'chain_id' }) chainId: string;
  @Column('bytea', { name: 'token_hash' }) tokenHash: Buffer;
  @Column('text') provider: string;
  /** The linked identity it was made with; null for a password, and once that identity is unlinked. */
  @Column('uuid', { name: 'identity_id', nullable: true }) identityId: string | null;
  /** The origin of the portal it was made for, its authorized party; null for sign-ins from before parties were kept. */
  @Column('text', { nullable: true }) party: string | null;
  @Column('text', { name: 'user_agent', nullable: true }) userAgent: string | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'last_used_at', default: () => 'now()' }) lastUsedAt: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt: Date;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt: Date | null;
}
