import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';

/** Nonces for wallet sign-in: 128 bits as hex, valid for 5 minutes and one use. */
@Injectable()
export class NoncesService {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates a nonce, and deletes some expired ones, so that the table stays small without a timer. */
  async make(): Promise<string> {
    const nonce = randomBytes(16).toString('hex');
    await this.dataSource.query(
      `with purged as (
         delete from nonces where nonce in (
           select nonce from nonces where expires_at <= now() order by expires_at limit 100 for update skip locked
         )
       )
       insert into nonces (nonce, expires_at) values ($1, now() + make_interval(secs => $2))`,
      [nonce, limits.siweNonceMs / 1000],
    );
    return nonce;
  }

  /** Consumes a nonce; of any number of concurrent callers exactly one gets true. */
  async consume(nonce: string): Promise<boolean> {
    const [rows]: [unknown[], number] = await this.dataSource.query(
      'delete from nonces where nonce = $1 and expires_at > now() returning nonce',
      [nonce],
    );
    return rows.length === 1;
  }
}
