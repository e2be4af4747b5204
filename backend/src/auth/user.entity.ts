import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The `issuer` of accounts created here. Accounts of a remote identity service have the address of that service. */
export const embeddedIssuer = 'embedded';

/** A user: one per issuer and subject. Nothing replaces a missing email address or display name. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid') id: string;
  @Column('text') issuer: string;
  @Column('text') subject: string;
  @Column('text', { nullable: true }) email: string | null;
  @Column('boolean', { name: 'email_verified', default: false }) emailVerified: boolean;
  /** The email that replaces `email` once it is confirmed. Others may have entered it too. */
  @Column('text', { name: 'pending_email', nullable: true }) pendingEmail: string | null;
  @Column('text', { name: 'first_name', nullable: true }) firstName: string | null;
  @Column('text', { name: 'last_name', nullable: true }) lastName: string | null;
  @Column('text', { name: 'display_name', nullable: true }) displayName: string | null;
  @Column('text', { name: 'user_name', nullable: true }) userName: string | null;
  @Column('text', { nullable: true }) bio: string | null;
  @Column('text', { nullable: true }) country: string | null;
  @Column('text', { name: 'profile_image_url', nullable: true }) profileImageUrl: string | null;
  @Column('text', { name: 'eth_address', nullable: true }) ethAddress: string | null;
  @Column('text', { name: 'wax_address', nullable: true }) waxAddress: string | null;
  @Column('text') provider: string;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' }) updatedAt: Date;
}
