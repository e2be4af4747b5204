import type { AccountChangeKind, SignInMethod } from '@orange-id/contract/identity.schema';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change to the sign-in methods of an account. `provider` and `label` name the changed method. */
@Entity('account_changes')
export class AccountChangeRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'user_id' }) userId: string;
  @Column('text') kind: AccountChangeKind;
  @Column('text', { nullable: true }) provider: SignInMethod['provider'] | null;
  @Column('text', { nullable: true }) label: string | null;
  @Column('text', { name: 'user_agent', nullable: true }) userAgent: string | null;
  @Column('timestamptz', { default: () => 'now()' }) at: Date;
}
