import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in method of a user other than a password: wallet (checksummed address), google, apple (their subject). */
@Entity('linked_identities')
export class LinkedIdentity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'user_id' }) userId: string;
  @Column('text') provider: string;
  @Column('text') subject: string;
  /** The provider's name for the account, an email address; shown, but never used to find the account. */
  @Column('text', { nullable: true }) email: string | null;
  /** Whether the provider vouches for that address. */
  @Column('boolean', { name: 'email_verified', default: false }) emailVerified: boolean;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
}
