import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface DatabaseFigures {
  isWritable: boolean;
  mailsWaiting: number;
  /** Age of the oldest waiting email. */
  mailsOldestSeconds: number;
  /** Months after this one that have a partition. */
  partitionsAhead: number;
}

@Injectable()
export class DatabaseFiguresRepository {
  constructor(private readonly dataSource: DataSource) {}

  async read(): Promise<DatabaseFigures> {
    const [figures] = await this.dataSource.query<[DatabaseFigures]>(
      `select current_setting('transaction_read_only') = 'off' as "isWritable", m.*, p.*
       from (
         select count(*)::int as "mailsWaiting",
           coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float8 as "mailsOldestSeconds"
         from outgoing_mails where expires_at > now()
       ) m, (
         select count(*)::int as "partitionsAhead"
         from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'api_usage'::regclass
           and c.relname > 'api_usage_' || to_char(now() at time zone 'UTC', 'YYYY_MM')
       ) p`,
    );
    return figures;
  }
}
