import type { DataSource } from 'typeorm';

/** Builds that are kept; beyond them the oldest goes. */
const kept = 100;

/**
 * Every build of the script tag's loader that this portal has served, by its hashed name. A site that pins a build with
 * `integrity` must be able to load it after an upgrade (decision 67).
 */
export class KeptLoadersRepository {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {}

  async keep(name: string, content: Buffer): Promise<void> {
    await this.dataSource.query(
      'insert into kept_loaders (name, content) values ($1, $2) on conflict (name) do update set served_at = now()',
      [name, content],
    );
    await this.dataSource.query(
      `delete from kept_loaders where name in (
         select name from kept_loaders order by served_at desc, name offset ${kept})`,
    );
  }

  async find(name: string): Promise<Buffer | null> {
    const [row] = await this.dataSource.query<{ content: Buffer }[]>(
      'select content from kept_loaders where name = $1',
      [name],
    );
    return row?.content ?? null;
  }
}
