import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The password of an e-mail account, as an argon2id hash. */
@Entity('credentials')
export class Credential {
  @PrimaryColumn('uuid', { name: 'user_id' }) userId: string;
  @Column('text', { name: 'password_hash' }) passwordHash: string;
  @Column('timestamptz', { name: 'changed_at', default: () => 'now()' }) changedAt: Date;
}
