import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A password, as an argon2id hash, and the email address it belongs to; the profile may have another address. */
@Entity('credentials')
export class Credential {
  @PrimaryColumn('uuid', { name: 'user_id' }) userId: string;
  @Column('text') email: string;
  @Column('boolean', { name: 'email_verified', default: false }) emailVerified: boolean;
  /**
   * Whether the reader of that mailbox set the password: by a reset link, or by confirming in the browser it was set
   * in.
   */
  @Column('boolean', { default: false }) vouched: boolean;
  @Column('text', { name: 'password_hash' }) passwordHash: string;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'changed_at', default: () => 'now()' }) changedAt: Date;
}
