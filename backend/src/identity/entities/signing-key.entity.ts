import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An ES256 key pair that signs access tokens; the private key is stored encrypted. */
@Entity('signing_keys')
export class SigningKey {
  @PrimaryColumn('text') kid: string;
  @Column('integer', { name: 'secret_version' }) secretVersion: number;
  @Column('bytea', { name: 'private_key' }) privateKey: Buffer;
  @Column('jsonb', { name: 'public_key' }) publicKey: Record<string, unknown>;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'retired_at', nullable: true }) retiredAt: Date | null;
}
