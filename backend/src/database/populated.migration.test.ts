import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { Environment, parseEnvironment } from '../config/environment.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { createTestDatabase, startAnother } from '../testing/test.app.js';
import { ensureUsagePartitions } from '../usage/usage.partitions.js';
import { dataSourceOptions } from './database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { migrate } from './migrate.js';
import { newId } from './new.id.js';

type Row = Record<string, unknown>;
interface Column {
  name: string;
  type: string;
  isNullable: boolean;
  hasDefault: boolean;
  /** The database numbers the rows. */
  isIdentity: boolean;
}
interface Table {
  name: string;
  columns: Column[];
  /** Columns of the primary key. */
  key: string[];
  /** Column to table. */
  references: Record<string, string>;
  /** Texts that a check constraint allows, by column. */
  allowed: Record<string, string>;
}

/** The migrations of the portal, in order. */
const migrations = dataSourceOptions({} as DatabaseAddress, parseEnvironment({ NODE_ENV: 'test' }))
  .migrations as (new () => MigrationInterface)[];
/**
 * Tables whose rows only a running portal can create: encrypted by the first start, or read by every start. The test
 * copies them and generates none.
 */
const onlyCopied = ['secret_canaries', 'signing_keys', 'key_change_head', 'migrations'];
/** A table of one row at most, with this id. */
const onlyRow = { table: 'usage_shipment', id: 1 };

/** The three kinds of rows: with every optional value missing, with ordinary values, with values of maximum size. */
const kinds = ['least', 'plain', 'most'] as const;

describe('a database that an earlier portal filled', () => {
  let environment: Environment;
  let usedDatabase: { address: DatabaseAddress; drop(): Promise<void> };
  let owner: SignedUp;
  let apiKey: string;
  let expected: unknown;

  /**
   * Fills a portal of the newest version. Each test copies its rows into the schema of an earlier version, as far as
   * that schema has the tables and columns.
   */
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
    environment = parseEnvironment({
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      PORTAL_SECRET: 'm'.repeat(32),
      DATA_DIR: dataDir,
      PORT: '1',
    });
    usedDatabase = await createTestDatabase();
    const portal = await startAnother({ environment, address: usedDatabase.address });
    owner = await signUp(portal);
    const { token } = owner;
    const call = (method: string, path: string, body?: unknown) =>
      portal.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    await call('POST', '/api/v1/user/profile', { displayName: 'Ada', userName: 'ada', displayDesc: 'a\nb' });
    const project = { projectName: 'Acme', whitelistURL: ['https://a.example.org', 'https://b.example.org'] };
    ({ apiKey } = (await call('POST', '/devportal/v1/project', project)).body);
    await call('POST', '/api/keys', { name: 'Saved' });
    for (const origin of ['https://a.example.org', 'https://stranger.example.org']) {
      await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': apiKey, origin } });
    }
    await call('POST', '/api/usage/exports', { format: 'csv', filters: {} });
    expected = await viewOf(portal, owner);
    await portal.close();
  }, 30_000);
  afterAll(async () => {
    await usedDatabase.drop();
    await rm(environment.dataDir, { recursive: true, force: true });
  });

  /** What the owner sees after a new sign-in, and whether their key still works. */
  async function viewOf(portal: Awaited<ReturnType<typeof startAnother>>, { email }: SignedUp) {
    const body = { email, password: 'a long enough password' };
    const { token } = (await portal.call('POST', '/api/v1/auth/email/login', { body })).body;
    const read = async (path: string) => {
      const { status, body: read } = await portal.call('GET', path, { token: token.accessToken });
      return { path, status, read };
    };
    return Promise.all([
      ...['/api/v1/auth/user', '/api/v1/auth/identifiers', '/devportal/v1/user/projects', '/api/keys'].map(
        read,
      ),
      ...['/api/usage', '/api/usage/keys'].map(read),
    ]);
  }

  test('there are migrations, each with a later timestamp than the one before', () => {
    const times = migrations.map(({ name }) => Number(name.slice(-13)));
    expect(times.length).toBeGreaterThan(4);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  test.each(migrations.slice(0, -1).map((each, place) => [each.name, place + 1] as const))(
    'with %s as its newest migration keeps every row and value in the newest version, and its owner finds everything',
    async (_, count) => {
      const { address, drop } = await createTestDatabase({ empty: true });
      const old = await new DataSource({
        ...dataSourceOptions(address, environment),
        migrations: migrations.slice(0, count),
      }).initialize();
      await old.runMigrations();
      await old.destroy();
      await ensureUsagePartitions(address);
      const [client, source] = [new pg.Client(address), new pg.Client(usedDatabase.address)];
      await Promise.all([client.connect(), source.connect()]);
      try {
        const tables = await tablesOf(client);
        await copy(source, client, tables);
        await fill(client, tables);
        const before = await rowsOf(client, tables);
        for (const { name, rows } of before) expect([name, rows.length]).not.toEqual([name, 0]);

        await migrate(address, environment);
        const after = new Map((await rowsOf(client, tables)).map(({ name, rows }) => [name, rows]));
        const lost = before.flatMap(({ name, rows }) => {
          const now = after.get(name) ?? [];
          const kept = Object.keys(rows[0] ?? {}).filter((column) => now[0] && column in now[0]);
          const left = new Set(now.map((row) => shared(row, kept)));
          const gone = rows.filter((row) => now.length === 0 || !left.has(shared(row, kept)));
          return gone.map((row) => `${name}: ${JSON.stringify(row)}`);
        });
        expect(lost).toEqual([]);

        const portal = await startAnother({ environment, address });
        try {
          expect(await viewOf(portal, owner)).toEqual(expected);
          const headers = { 'x-api-key': apiKey, origin: 'https://a.example.org' };
          expect((await portal.call('GET', '/api/v1/key', { headers })).status).toBe(200);
        } finally {
          await portal.close();
        }
      } finally {
        await Promise.all([client.end(), source.end()]);
        await drop();
      }
    },
    60_000,
  );
});

/** The content of a row in these columns. */
const shared = (row: Row, columns: string[]): string =>
  JSON.stringify(columns.map((column) => row[column] ?? null));

/** Every table, with the columns and constraints that a generated row must fit; referenced tables first. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<
    Omit<Table, 'references' | 'allowed'> & { constraints: string[] | null }
  >(`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
          'isNullable', not a.attnotnull, 'hasDefault', a.atthasdef,
          'isIdentity', a.attidentity = 'a') order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = '') as columns,
      coalesce((select json_agg(a.attname) from pg_index i join pg_attribute a
        on a.attrelid = i.indrelid and a.attnum = any(i.indkey) where i.indrelid = c.oid and i.indisprimary), '[]') as key,
      (select json_agg(pg_get_constraintdef(k.oid)) from pg_constraint k where k.conrelid = c.oid) as constraints
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  const tables = rows.map(({ constraints, ...table }) => {
    const matches = (pattern: RegExp) =>
      Object.fromEntries(
        (constraints ?? []).flatMap((each) => {
          const [, column, value] = pattern.exec(each) ?? [];
          return column === undefined ? [] : [[column, value as string]];
        }),
      );
    return {
      ...table,
      references: matches(/^FOREIGN KEY \((\w+)\) REFERENCES (\w+)\(/),
      allowed: matches(/^CHECK \(\(+(\w+) = ANY \(+ARRAY\['([^']*)'/),
    };
  });
  const isRequired = ({ columns }: Table, column: string) =>
    columns.some(({ name, isNullable }) => name === column && !isNullable);
  const refersTo = (table: Table, other: Table) =>
    Object.entries(table.references).some(
      ([column, name]) => name === other.name && isRequired(table, column),
    );
  const sorted: Table[] = [];
  const visit = (table: Table): void => {
    if (sorted.includes(table)) return;
    for (const [column, name] of Object.entries(table.references)) {
      const other = tables.find((each) => each.name === name) as Table;
      // A reference that may be null waits for rows that refer to this table, such as a post's accepted reply.
      const comesLater = !isRequired(table, column) && refersTo(other, table);
      if (other !== table && !comesLater) visit(other);
    }
    if (!sorted.includes(table)) sorted.push(table);
  };
  tables.forEach(visit);
  return sorted;
}

/** The rows of a running portal, in the columns that exist. */
async function copy(source: pg.Client, client: pg.Client, tables: Table[]): Promise<void> {
  for (const { name, columns } of tables) {
    if (name === 'migrations') continue;
    const { rows: known } = await source.query<{ column_name: string }>(
      'select column_name from information_schema.columns where table_name = $1',
      [name],
    );
    const both = columns
      .map((each) => each.name)
      .filter((each) => known.some((one) => one.column_name === each));
    if (both.length === 0) continue;
    const { rows } = await source.query<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`);
    if (name === 'key_change_head') await client.query('delete from key_change_head');
    for (const { row } of rows) {
      await client.query(
        `insert into ${name} (${both.join()}) overriding system value
         select ${both.join()} from jsonb_populate_record(null::${name}, $1)`,
        [JSON.stringify(row)],
      );
    }
    for (const each of columns.filter(({ isIdentity }) => isIdentity)) {
      await client.query(
        `select setval(pg_get_serial_sequence('${name}', '${each.name}'), max(${each.name})) from ${name}`,
      );
    }
  }
}

/** Columns with numbers of keys and origins, which other columns count. */
const idLists = ['keys', 'origins'];

/** Three rows of edge values in each table, separate from the owner's rows. They refer only to each other. */
async function fill(client: pg.Client, tables: Table[]): Promise<void> {
  const secret = await client.query<{ version: number }>('select version from secret_canaries');
  const made = new Map<string, unknown[]>();
  for (const table of tables.filter(({ name }) => !onlyCopied.includes(name))) {
    for (const [place, kind] of kinds.entries()) {
      // An account without an email address cannot have used a password: migration 0003 drops such credentials.
      if (table.name === 'credentials' && kind === 'least') continue;
      const isOnly = table.name === onlyRow.table;
      if (isOnly && kind !== 'most') continue;
      const row: Row = {};
      for (const { name, type, isNullable, hasDefault, isIdentity } of table.columns) {
        if (isIdentity) continue;
        const of = table.references[name];
        if (of !== undefined) {
          if (!isNullable || (kind === 'plain' && of !== table.name)) row[name] = made.get(of)?.[place];
        } else if (kind !== 'least' || table.key.includes(name) || !(isNullable || hasDefault)) {
          // A different version of the secret would make the portal refuse to start.
          row[name] =
            name === 'secret_version'
              ? secret.rows[0]?.version
              : (table.allowed[name] ?? (idLists.includes(name) ? [1, 2] : valueOf(type, kind)));
        }
      }
      if (isOnly) row['id'] = onlyRow.id;
      const names = Object.keys(row);
      await client.query(
        `insert into ${table.name} (${names.join()}) values (${names.map((_, at) => `$${at + 1}`).join()})`,
        names.map((name) => row[name]),
      );
      made.set(table.name, [...(made.get(table.name) ?? []), row[table.key[0] as string]]);
    }
  }
}

/** A value of that type, different at each call where uniqueness may require it. */
function valueOf(type: string, kind: (typeof kinds)[number]): unknown {
  const most = kind === 'most';
  switch (type) {
    case 'uuid':
      return newId();
    case 'bytea':
      return randomBytes(most ? 1_000 : 32);
    case 'boolean':
      return most;
    case 'text':
    case 'character varying':
      return `${kind} ${randomBytes(8).toString('hex')}${most ? ` ' " \\ 🍊 ${'é'.repeat(500)}` : ''}`;
    case 'jsonb':
    case 'json':
      return JSON.stringify(most ? { a: [null, 'é', { b: 1.5 }] } : {});
    case 'date':
      return most ? '2199-12-31' : '2026-01-02';
    case 'timestamp with time zone':
      return new Date(Date.now() + (most ? 60_000 : 1_000));
    case 'text[]':
      return most ? ['name', 'é'] : [];
    case 'integer[]':
      return most ? Array.from({ length: 64 }, () => 2 ** 31 - 1) : [];
    case 'smallint[]':
      return most ? [0, 79] : [];
    case 'bigint[]':
      return most ? ['9007199254740991', '1'] : [];
    case 'smallint':
      return most ? 32_767 : 200;
    case 'real':
    case 'double precision':
    case 'numeric':
      return most ? 60_000.5 : 0;
    case 'integer':
      return { least: 0, plain: 1, most: 2 ** 31 - 1 }[kind];
    case 'bigint':
      return most ? '9007199254740991' : String(1 + Math.floor(Math.random() * 1_000_000));
    default:
      throw new Error(`say what a value of type ${type} is`);
  }
}

async function rowsOf(client: pg.Client, tables: Table[]): Promise<{ name: string; rows: Row[] }[]> {
  const found: { name: string; rows: Row[] }[] = [];
  for (const { name } of tables.filter((each) => each.name !== 'migrations')) {
    const exists = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [name]);
    if (!exists.rows[0]?.is) continue;
    const { rows } = await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`);
    found.push({ name, rows: rows.map(({ row }) => row) });
  }
  return found;
}
