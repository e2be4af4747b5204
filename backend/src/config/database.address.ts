/** How to reach a database; `host` may be a folder with a Unix socket. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  ssl?: boolean | object;
}

/** Reads `DATABASE_URL`. `sslmode` other than `disable` turns TLS on; `no-verify` skips the certificate check. */
export function addressOf(databaseUrl: string): DatabaseAddress {
  const url = new URL(databaseUrl);
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  return {
    host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '')),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    database: decodeURIComponent(url.pathname.slice(1)) || 'portal',
    ...(mode === 'disable' ? {} : { ssl: mode === 'no-verify' ? { rejectUnauthorized: false } : true }),
  };
}
