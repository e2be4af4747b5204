/** How to reach a database; `host` may be a folder with a Unix socket. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  user: string;
  password?: string;
  database: string;
  ssl?: boolean | object;
  /** If `DATABASE_URL` names several; `host` and `port` are then those of the current one. */
  hosts?: DatabaseHosts;
}

interface Host {
  host: string;
  port: number;
}

/** The hosts of one database, of which only the primary accepts writes. */
export class DatabaseHosts {
  private place = 0;

  constructor(readonly all: readonly Host[]) {}

  get current(): Host {
    return this.all[this.place] as Host;
  }

  use(host: Host): void {
    this.place = Math.max(0, this.all.indexOf(host));
  }

  /** Goes on to the next host. Does nothing if another connection has done it: several fail at once. */
  leave(host: Host): void {
    if (host === this.current) this.place = (this.place + 1) % this.all.length;
  }
}

/**
 * Reads `DATABASE_URL`. `sslmode` other than `disable` turns TLS on; `no-verify` skips the certificate check. Several
 * hosts are separated by commas, as libpq writes them: `postgres://user@a,b:5433/name?target_session_attrs=read-write`.
 */
export function addressOf(databaseUrl: string): DatabaseAddress {
  const [first, ...others] = databaseUrlsOf(databaseUrl).map((url) => new URL(url));
  const url = first as URL;
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  const rest = {
    user: decodeURIComponent(url.username),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    database: decodeURIComponent(url.pathname.slice(1)) || 'portal',
    ...(mode === 'disable' ? {} : { ssl: mode === 'no-verify' ? { rejectUnauthorized: false } : true }),
  };
  if (others.length === 0) return { ...hostOf(url), ...rest };
  const hosts = new DatabaseHosts([url, ...others].map(hostOf));
  return {
    // Each connection that is made from this address goes to the host that is current then.
    get host() {
      return hosts.current.host;
    },
    get port() {
      return hosts.current.port;
    },
    ...rest,
    hosts,
  };
}

const hostOf = (url: URL): Host => ({
  host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '')),
  port: Number(url.port || 5432),
});

/** One URL for each host that `databaseUrl` names. */
export function databaseUrlsOf(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] =
    /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(databaseUrl) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [databaseUrl];
}

/** Whether a connection may go to any other server than the primary; the portal always writes. */
export const asksForPrimary = (databaseUrl: string): boolean =>
  databaseUrlsOf(databaseUrl).every((url) =>
    [null, 'read-write', 'primary'].includes(new URL(url).searchParams.get('target_session_attrs')),
  );
