import type { AccountPreview, ProvenIdentifier } from '@orange-id/contract/identity.schema';
import type { DataSource } from 'typeorm';
import type { User } from '../../auth/user.entity.js';

/**
 * The confirmed sign-in methods of an account, oldest first. A name, and an address that was only entered, may be
 * anybody's: a page that asks for consent must not show them.
 */
export async function previewOf(
  { id, createdAt }: Pick<User, 'id' | 'createdAt'>,
  dataSource: DataSource,
): Promise<AccountPreview> {
  const identifiers: ProvenIdentifier[] = await dataSource.query(
    `with proven as (
       select 'email' as provider, email as label, created_at from credentials
         where user_id = $1 and email_verified
       union all select provider, case when provider = 'wallet' then subject when email_verified then email end,
           created_at from linked_identities where user_id = $1
     )
     select provider, label from (
       select * from proven
       union all select 'email', email, created_at from users where id = $1 and email_verified
         and not exists (select from proven where lower(label) = lower(users.email))
     ) as identifiers order by created_at, label`,
    [id],
  );
  return { identifiers, createdAt: createdAt.toISOString() };
}
