import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';

const oldestServer = 160_000;
/** Tokens and time windows compare the clocks of the portal and the database. */
const clockMostMs = 5_000;

interface Found {
  version: number;
  encoding: string;
  mayCreate: boolean | null;
  isReadOnly: boolean;
  now: number;
}

/**
 * Everything that keeps the portal from using the configured server, one line each. Of several hosts, the first without
 * a problem becomes the current one.
 */
export async function databaseProblems(address: DatabaseAddress): Promise<string[]> {
  const { hosts } = address;
  if (hosts === undefined) return problemsAt(address);
  const problems: string[] = [];
  for (const host of hosts.all) {
    hosts.use(host);
    const found = await problemsAt(address);
    if (found.length === 0) return [];
    problems.push(...found.map((problem) => `${problem} [${host.host}:${host.port}]`));
  }
  return problems;
}

async function problemsAt(address: DatabaseAddress): Promise<string[]> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const sentAt = Date.now();
    const { rows } = await client.query<Found>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
         (select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public') as "mayCreate",
         current_setting('transaction_read_only') = 'on' as "isReadOnly",
         extract(epoch from clock_timestamp())::float8 * 1000 as now`,
    );
    return problemsOf(rows[0] as Found, address, (sentAt + Date.now()) / 2);
  } catch (error) {
    return [connectProblem(error as Error & { code?: string }, address)];
  } finally {
    await client.end().catch(() => undefined);
  }
}

function problemsOf(found: Found, { user, database }: DatabaseAddress, now: number): string[] {
  const problems: string[] = [];
  const refuse = (problem: string) => problems.push(`DATABASE_URL ${problem}`);
  const [name, role] = [pg.escapeIdentifier(database), pg.escapeIdentifier(user)];
  if (found.version < oldestServer) {
    refuse(
      `must be PostgreSQL 16 or newer (it is ${Math.floor(found.version / 10_000)}); upgrade the server`,
    );
  }
  if (found.encoding !== 'UTF8') {
    refuse(
      `must be a database in UTF-8 (it is ${found.encoding}); for example create database ${name} encoding 'UTF8' template template0`,
    );
  }
  if (!found.mayCreate) {
    refuse(
      `must be a database in whose schema public the user may create tables; for example grant create on schema public to ${role}`,
    );
  }
  if (found.isReadOnly) refuse('must be a database that accepts writes (it is read-only, as a standby is)');
  const aheadMs = found.now - now;
  if (Math.abs(aheadMs) > clockMostMs) {
    refuse(
      `must be a server whose clock agrees with this machine's (it is ${Math.round(aheadMs / 1000)} s ahead); set both by NTP`,
    );
  }
  return problems;
}

/** Says what is wrong with the address, as far as the server says it. Never shows the password. */
function connectProblem({ code, message }: Error & { code?: string }, address: DatabaseAddress): string {
  if (code === '28P01' || code === '28000') {
    return `DATABASE_URL must have the right user and password (the server refused those of the user "${address.user}"); check both, and write special characters percent-encoded`;
  }
  if (code === '3D000') {
    return `DATABASE_URL must name a database that exists (there is no "${address.database}"); for example create database ${pg.escapeIdentifier(address.database)} owner ${pg.escapeIdentifier(address.user)}`;
  }
  return (
    `DATABASE_URL must be a PostgreSQL server that can be reached (it is set, value not shown; connecting failed ` +
    `with ${code ?? message}); for example DATABASE_URL=postgres://portal:password@localhost:5432/portal`
  );
}
