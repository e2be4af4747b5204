import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An API key of a project (`projectId` set) or a saved key; found by its keyed hash, stored encrypted with its id as
 * context.
 */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'user_id' }) userId: string;
  @Column('uuid', { name: 'project_id', nullable: true }) projectId: string | null;
  @Column('text') name: string;
  @Column('text') prefix: string;
  @Column('bytea', { name: 'key_hash' }) keyHash: Buffer;
  @Column('bytea', { name: 'key_sealed' }) keySealed: Buffer;
  @Column('integer', { name: 'secret_version' }) secretVersion: number;
  @Column('boolean', { name: 'is_active', default: true }) isActive: boolean;
  @Column('uuid', { name: 'replaces_id', nullable: true }) replacesId: string | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt: Date | null;
  /** Calls per second and instance; `null` for the portal's limit. */
  @Column('integer', { name: 'rate_limit', nullable: true }) rateLimit: number | null;
  /** When a rotation made another key the current one; this one may work until `expiresAt`. */
  @Column('timestamptz', { name: 'replaced_at', nullable: true }) replacedAt: Date | null;
}
