import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ConfigurationError,
  parseEnvironment,
  variableNames,
  otherPortalsOf,
  registeredCallbacksOf,
} from './environment.js';
import { sections } from './environment.text.js';

const refusal = (variables: Record<string, string>): string => {
  try {
    parseEnvironment(variables);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('the environment was accepted');
};

describe('environment', () => {
  test('without variables the portal runs in local mode on port 3000', () => {
    const environment = parseEnvironment({});
    expect(environment).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
      isProduction: false,
    });
  });

  test('by default rows are kept for 13 months and an owner has a million calls a day; 0 turns either limit off', () => {
    expect(parseEnvironment({})).toMatchObject({
      USAGE_RETENTION_MONTHS: 13,
      USAGE_DAILY_QUOTA: 1_000_000,
    });
    expect(parseEnvironment({ USAGE_RETENTION_MONTHS: '0', USAGE_DAILY_QUOTA: '0' })).toMatchObject({
      USAGE_RETENTION_MONTHS: 0,
      USAGE_DAILY_QUOTA: 0,
    });
    expect(refusal({ USAGE_DAILY_QUOTA: '-1' })).toBe(
      'USAGE_DAILY_QUOTA must be a whole number of calls from 0 to 1000000000 (it is "-1"); for example USAGE_DAILY_QUOTA=1000000',
    );
    expect(refusal({ USAGE_RETENTION_MONTHS: '1.5' })).toContain(
      'must be a whole number of months from 0 to 1200',
    );
  });

  test('an empty variable counts as not set', () => {
    expect(parseEnvironment({ PORT: '', PUBLIC_URL: '' }).PUBLIC_URL).toBe('http://localhost:3000');
  });

  test('the portal is identified by its origin, without a port that browsers omit', () => {
    expect(parseEnvironment({ PORT: '80' }).PUBLIC_URL).toBe('http://localhost');
    expect(parseEnvironment({ HOST: 'Portal.LAN' }).PUBLIC_URL).toBe('http://portal.lan:3000');
  });

  test.each(['& ', ' localhost', 'a b'])('HOST %j is refused: it does not form an address', (HOST) => {
    expect(() => parseEnvironment({ HOST })).toThrow(/^HOST must be a host name or an address/);
  });

  test('a second callback on the portal itself does not count as another portal', () => {
    const IDENTITY_CALLBACKS = 'http://localhost:3000/app/callback,https://a.example/auth/callback';
    expect(otherPortalsOf(parseEnvironment({ IDENTITY_CALLBACKS }))).toEqual(['https://a.example']);
  });

  test('lists may have spaces around their commas', () => {
    const environment = parseEnvironment({
      IDENTITY_CALLBACKS:
        'https://a.example/auth/callback , https://a.example/other, http://localhost:4000/cb',
    });
    expect(registeredCallbacksOf(environment)).toEqual([
      'http://localhost:3000/auth/callback',
      'https://a.example/auth/callback',
      'https://a.example/other',
      'http://localhost:4000/cb',
    ]);
    expect(otherPortalsOf(environment)).toEqual(['https://a.example', 'http://localhost:4000']);
    const { IDENTITY_WIDGET_ORIGINS } = parseEnvironment({
      IDENTITY_WIDGET_ORIGINS: 'https://cdn.example.com/, https://cdn2.example.com',
    });
    expect(IDENTITY_WIDGET_ORIGINS).toEqual(['https://cdn.example.com', 'https://cdn2.example.com']);
  });

  test('a trailing slash of PUBLIC_URL is removed', () => {
    expect(parseEnvironment({ PUBLIC_URL: 'https://portal.example.com/' }).PUBLIC_URL).toBe(
      'https://portal.example.com',
    );
  });

  test.each([
    [{ PORT: '70000' }, 'PORT must be a number from 0 to 65535 (it is "70000"); for example PORT=3000'],
    [{ PORT: 'http' }, 'PORT must be a number from 0 to 65535 (it is "http"); for example PORT=3000'],
    [
      { PUBLIC_URL: 'portal.example.com' },
      'PUBLIC_URL must be a URL that starts with http:// or https:// (it is "portal.example.com"); for example PUBLIC_URL=https://portal.example.com',
    ],
    [
      { USAGE_DURABILITY: 'sometimes' },
      'USAGE_DURABILITY must be durable or buffered (it is "sometimes"); for example USAGE_DURABILITY=durable',
    ],
    [
      { PORTAL_SECRET: 'too short' },
      'PORTAL_SECRET must have at least 32 characters (it is set, value not shown); for example PORTAL_SECRET=the output of: openssl rand -hex 32',
    ],
    [
      { DATABASE_URL: 'mysql://root:hunter2@db/x' },
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql:// (it is set, value not shown); for example DATABASE_URL=postgres://portal:password@localhost:5432/portal',
    ],
    [
      { DATABASE_URL: 'postgres://portal@a,/portal' },
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql:// (it is set, value not shown); for example DATABASE_URL=postgres://portal:password@localhost:5432/portal',
    ],
    [
      { DATABASE_URL: 'postgres://portal@a,b/portal?target_session_attrs=any' },
      'DATABASE_URL must have target_session_attrs=read-write, or none: the portal always writes (it is set, value not shown); for example DATABASE_URL=postgres://portal:password@localhost:5432/portal',
    ],
    [
      { DATABASE_URL: 'postgres://portal:50%-off@localhost/portal' },
      'DATABASE_URL must have each % in a name or password written as %25 (it is set, value not shown); for example DATABASE_URL=postgres://portal:password@localhost:5432/portal',
    ],
    [
      { DATABASE_URL: 'postgres://portal@localhost/portal%zz' },
      'DATABASE_URL must have each % in a name or password written as %25 (it is set, value not shown); for example DATABASE_URL=postgres://portal:password@localhost:5432/portal',
    ],
    [
      { MAIL_FROM: 'Orange ID <nobody>' },
      'MAIL_FROM must be an email address, or a name and an address (it is "Orange ID <nobody>"); for example MAIL_FROM=Orange ID <no-reply@localhost>',
    ],
    [
      { SMTP_URL: 'https://user:hunter2@mail.example.com' },
      'SMTP_URL must be a URL that starts with smtp:// or smtps:// (it is set, value not shown); for example SMTP_URL=smtps://user:password@mail.example.com:465',
    ],
    [
      {
        APPLE_CLIENT_ID: 'com.example.portal',
        APPLE_TEAM_ID: 'A1B2C3D4E5',
        APPLE_KEY_ID: 'F6G7H8I9J0',
        APPLE_PRIVATE_KEY: 'hunter2',
      },
      'APPLE_PRIVATE_KEY must be the text of Apple’s .p8 file (it is set, value not shown); for example APPLE_PRIVATE_KEY=the text of the .p8 file, with its line breaks written as \\n',
    ],
    [
      { ETH_RPC_URL_SECOND: 'https://rpc.example.com/hunter2' },
      'ETH_RPC_URL must be set when ETH_RPC_URL_SECOND is (it is not set); for example ETH_RPC_URL=https://ethereum-rpc.publicnode.com',
    ],
    [
      {
        ETH_RPC_URL: 'https://rpc.example.com/hunter2',
        ETH_RPC_URL_SECOND: 'https://rpc.example.com/hunter2/',
      },
      'ETH_RPC_URL_SECOND must be a different node from ETH_RPC_URL (it is set, value not shown); for example ETH_RPC_URL_SECOND=https://rpc.example.com',
    ],
    [
      { ALLOW_UNENCRYPTED: 'smtp,everything' },
      'ALLOW_UNENCRYPTED must be smtp, database or both, separated by a comma (it is "smtp,everything"); for example ALLOW_UNENCRYPTED=smtp,database',
    ],
    [
      { GOOGLE_CLIENT_ID: 'x' },
      'GOOGLE_CLIENT_SECRET must be set when GOOGLE_CLIENT_ID is (it is not set); for example GOOGLE_CLIENT_SECRET=the client secret of your Google project',
    ],
    [
      { DATABASE_POOL: 'abc' },
      'DATABASE_POOL must be a whole number of connections from 2 to 200 (it is "abc"); for example DATABASE_POOL=10',
    ],
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL must be error, warn, log or debug (it is "loud"); for example LOG_LEVEL=log',
    ],
    [
      { PUBLIC_URL: 'https://portal.example.com/path?x' },
      'PUBLIC_URL must be a URL in lower case without path, query, user or default port (it is "https://portal.example.com/path?x"); for example PUBLIC_URL=https://portal.example.com',
    ],
    [
      { IDENTITY_URL: 'http://localhost:3000' },
      'IDENTITY_URL must be the URL of a service other than this portal (it is "http://localhost:3000"); for example IDENTITY_URL=https://id.example.com',
    ],
    [
      { IDENTITY_URL: 'https://id.example.com', IDENTITY_CALLBACKS: 'https://a.example/auth/callback' },
      'IDENTITY_CALLBACKS must not be set when IDENTITY_URL is set; remove one of them',
    ],
    [
      { IDENTITY_CALLBACKS: 'https://a.example/auth/callback,https://user@b.example/auth/callback' },
      'IDENTITY_CALLBACKS must be http:// or https:// URLs without user or fragment, separated by commas (it is "https://a.example/auth/callback,https://user@b.example/auth/callback"); for example IDENTITY_CALLBACKS=https://other-portal.example.com/auth/callback',
    ],
    [
      { IDENTITY_WIDGET_ORIGINS: 'https://cdn.example.com/panel' },
      'IDENTITY_WIDGET_ORIGINS must be URLs in lower case without path, query, user or default port, separated by commas (it is "https://cdn.example.com/panel"); for example IDENTITY_WIDGET_ORIGINS=https://cdn.example.com',
    ],
    [
      { PROJECT_SERVICE_URL: 'http://localhost:3000', PROJECT_SERVICE_KEY: 'hunter2' },
      'PROJECT_SERVICE_URL must be the URL of a service other than this portal (it is "http://localhost:3000"); for example PROJECT_SERVICE_URL=https://projects.example.com',
    ],
    [
      { PROJECT_SERVICE_URL: 'https://projects.example.com' },
      'PROJECT_SERVICE_KEY must be set when PROJECT_SERVICE_URL is (it is not set); for example PROJECT_SERVICE_KEY=the key that the project service gave this portal',
    ],
    [
      { PROJECT_SERVICE_KEY: 'hunter2' },
      'PROJECT_SERVICE_URL must be set when PROJECT_SERVICE_KEY is (it is not set); for example PROJECT_SERVICE_URL=https://projects.example.com',
    ],
    [
      { PROJECT_SERVICE_URL: 'https://projects.example.com', PROJECT_SERVICE_KEY: 'hunter2\nX-Other: 1' },
      'PROJECT_SERVICE_KEY must be visible ASCII characters without spaces (it is set, value not shown); for example PROJECT_SERVICE_KEY=the key that the project service gave this portal',
    ],
    [
      { PROJECT_SERVICE_URL: 'https://projects.example.com/v1', PROJECT_SERVICE_KEY: 'hunter2' },
      'PROJECT_SERVICE_URL must be a URL in lower case without path, query, user or default port (it is "https://projects.example.com/v1"); for example PROJECT_SERVICE_URL=https://projects.example.com',
    ],
    [
      { API_REFERENCE_URL: 'https://evil.example.com/api', FRAME_ORIGINS: 'https://docs.example.com' },
      'API_REFERENCE_URL must be on an origin that FRAME_ORIGINS lists (it is "https://evil.example.com/api"); for example API_REFERENCE_URL=https://docs.example.com/api',
    ],
    [
      { CONFIGURATOR_URL: 'https://evil.example.com/look', FRAME_ORIGINS: 'https://docs.example.com' },
      'CONFIGURATOR_URL must be on an origin that FRAME_ORIGINS lists (it is "https://evil.example.com/look"); for example CONFIGURATOR_URL=https://docs.example.com/configurator',
    ],
    [
      { API_REFERENCE_URL: 'https://docs.example.com/api' },
      'API_REFERENCE_URL must be on an origin that FRAME_ORIGINS lists (it is "https://docs.example.com/api"); for example API_REFERENCE_URL=https://docs.example.com/api',
    ],
    [
      { FRAME_ORIGINS: 'http://localhost:3000' },
      'FRAME_ORIGINS must list origins other than PUBLIC_URL (it is "http://localhost:3000"); for example FRAME_ORIGINS=https://docs.example.com',
    ],
  ])('%j is refused in one line', (variables, message) => {
    const said = refusal(variables);
    expect(said).toBe(message);
    expect(said).not.toContain('\n');
    expect(said).not.toContain('hunter2');
  });

  test('everything that is wrong is named at once, one line each', () => {
    const said = refusal({ NODE_ENV: 'production', PORT: 'eighty', LOG_LEVEL: 'loud' });
    expect(said.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'PORTAL_SECRET',
      'PUBLIC_URL',
      'DATABASE_URL',
      'PORT',
      'LOG_LEVEL',
    ]);
    const rules = refusal({ GOOGLE_CLIENT_ID: 'only.the.id', API_REFERENCE_URL: 'https://docs.example.com' });
    expect(rules.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'GOOGLE_CLIENT_SECRET',
      'API_REFERENCE_URL',
    ]);
  });

  test('a secret can come from a file, without its last line break', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-secret-'));
    const file = join(folder, 'secret');
    await writeFile(file, `${'f'.repeat(40)}\n`);
    expect(parseEnvironment({ PORTAL_SECRET_FILE: file }).PORTAL_SECRET).toBe('f'.repeat(40));
    expect(refusal({ PORTAL_SECRET_FILE: file, PORTAL_SECRET: 'g'.repeat(40) })).toBe(
      'PORTAL_SECRET_FILE must not be set when PORTAL_SECRET is; remove one of them',
    );
    await writeFile(file, 'hunter2');
    expect(refusal({ PORTAL_SECRET_FILE: file })).toBe(
      'PORTAL_SECRET must have at least 32 characters (it is set, value not shown); for example PORTAL_SECRET=the output of: openssl rand -hex 32',
    );
    await rm(folder, { recursive: true });
    expect(refusal({ PORTAL_SECRET_FILE: file })).toBe(
      `PORTAL_SECRET_FILE must be a file that the portal can read (it is "${file}"; reading failed with ENOENT); for example PORTAL_SECRET_FILE=/run/secrets/portal_secret`,
    );
  });

  describe('in production', () => {
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://portal.example.com',
      PORTAL_SECRET: 'a secret of more than thirty-two characters',
      DATABASE_URL: 'postgres://portal:hunter2@db/portal',
    };
    const names = [
      'PUBLIC_URL',
      'IDENTITY_URL',
      'IDENTITY_WIDGET_ORIGINS',
      'IDENTITY_CALLBACKS',
      'PROJECT_SERVICE_URL',
      'GOOGLE_ISSUER',
      'APPLE_ISSUER',
    ];

    test.each(names)('%s with http is refused in one line', (name) => {
      for (const host of ['id.example.com', '10.0.0.7', 'localhost.example.com', '127.0.0.1.example.com']) {
        const key: Record<string, string> =
          name === 'PROJECT_SERVICE_URL' ? { PROJECT_SERVICE_KEY: 'hunter2' } : {};
        expect(refusal({ ...production, ...key, [name]: `http://${host}` })).toMatch(
          new RegExp(
            `^${name} must start with https:// in production, except on this machine \\(it is "http://${host}"\\); for example ${name}=https://\\S+$`,
          ),
        );
      }
    });

    test.each(names)('%s with https, and with http on the same machine, is accepted', (name) => {
      for (const address of [
        'https://id.example.com',
        'http://localhost:4000',
        'http://id.localhost',
        'http://127.0.0.1:4000',
        'http://[::1]:4000',
      ]) {
        const key = name === 'PROJECT_SERVICE_URL' ? { PROJECT_SERVICE_KEY: 'hunter2' } : {};
        expect(() => parseEnvironment({ ...production, ...key, [name]: address })).not.toThrow();
      }
    });

    test.each([
      ['ETH_RPC_URL', 'https://ethereum-rpc.publicnode.com'],
      ['ETH_RPC_URL_SECOND', 'https://rpc.example.com'],
    ])('%s with http is refused in one line that does not show its value', (name, example) => {
      for (const host of [
        'rpc.example.com',
        '10.0.0.7',
        '[fd00::1]',
        'localhost.example.com',
        'geth.',
        '1.',
      ]) {
        const said = refusal({
          ...production,
          ETH_RPC_URL: 'https://first.example.com',
          [name]: `http://${host}/v3/hunter2`,
        });
        expect(said).toBe(
          `${name} must start with https:// in production, except on this machine or for host names without a dot (it is set, value not shown); for example ${name}=${example}`,
        );
      }
    });

    test('ETH_RPC_URL with https, and with http on the same machine or in a private network, is accepted', () => {
      for (const address of ['https://rpc.example.com/v3/key', 'http://geth:8545', 'http://127.0.0.1:8545']) {
        expect(parseEnvironment({ ...production, ETH_RPC_URL: address }).ETH_RPC_URL).toBe(address);
      }
    });

    test('smart accounts are verified only with a configured node in production, and with any node elsewhere', () => {
      const node = 'https://ethereum-rpc.publicnode.com';
      expect(parseEnvironment(production).verifiesSmartAccounts).toBe(false);
      expect(parseEnvironment({ ...production, ETH_RPC_URL: '' }).verifiesSmartAccounts).toBe(false);
      expect(parseEnvironment({ ...production, ETH_RPC_URL: node }).verifiesSmartAccounts).toBe(true);
      expect(parseEnvironment({}).verifiesSmartAccounts).toBe(true);
    });

    describe('an unencrypted link to another machine', () => {
      const database = (host: string, query = '') => `postgres://portal:hunter2@${host}/portal${query}`;
      const mail = (scheme: string, host: string, query = '') =>
        `${scheme}://portal:hunter2@${host}:587${query}`;
      const databaseRefusal =
        'DATABASE_URL must ask for TLS with ?sslmode=require in production, except on this machine or for host names without a dot, unless ALLOW_UNENCRYPTED names database (it is set, value not shown); for example DATABASE_URL=postgres://portal:password@localhost:5432/portal';
      const mailRefusal =
        'SMTP_URL must use TLS with a verified certificate (smtps://, or smtp:// with ?requireTLS=true) in production, except on this machine or for host names without a dot, unless ALLOW_UNENCRYPTED names smtp (it is set, value not shown); for example SMTP_URL=smtps://user:password@mail.example.com:465';
      const far = [
        'db.example.com',
        '10.0.0.7',
        // 10.0.0.7 as one number, which a resolver reads as an address.
        '167772167',
        '0x0a000007',
        '[fd00::1]',
        'localhost.example.com',
        '127.0.0.1.example.com',
        'db.',
        'db.example.com%2flocalhost',
      ];
      const near = ['localhost', 'LOCALHOST', 'db.localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'postgres'];

      test.each(far)('to the database at %s is refused in one line that does not show the URL', (host) => {
        for (const query of [
          '',
          '?sslmode=disable',
          '?sslmode=no-verify',
          '?sslmode=disable&sslmode=require',
        ]) {
          expect(refusal({ ...production, DATABASE_URL: database(host, query) })).toBe(databaseRefusal);
        }
        const elsewhere = database('localhost', `?host=${host.replace(/[[\]]/g, '')}`);
        expect(refusal({ ...production, DATABASE_URL: elsewhere })).toBe(databaseRefusal);
      });

      test.each(far)('to the mail server at %s is refused in one line that does not show the URL', (host) => {
        for (const SMTP_URL of [
          mail('smtp', host),
          mail('smtp', host, '?requireTLS=false'),
          mail('smtp', host, '?requireTLS=false&requireTLS=true'),
          mail('smtp', host, '?requireTLS=1'),
          mail('smtp', host, '?secure=true'),
          mail('smtp', host, '?requireTLS=true&tls.rejectUnauthorized=false'),
          mail('smtps', host, '?tls.rejectUnauthorized=0'),
        ]) {
          expect(refusal({ ...production, SMTP_URL })).toBe(mailRefusal);
        }
      });

      test.each(near)(
        'is not assumed for %s, which is the same machine or in its private network',
        (host) => {
          const variables = { DATABASE_URL: database(host), SMTP_URL: mail('smtp', host) };
          expect(parseEnvironment({ ...production, ...variables })).toMatchObject(variables);
        },
      );

      test('is not assumed with TLS, on a Unix socket or outside production', () => {
        for (const variables of [
          { DATABASE_URL: database('db.example.com', '?sslmode=require') },
          { DATABASE_URL: database('db.example.com', '?sslmode=verify-full') },
          { DATABASE_URL: database('localhost', '?host=/run/postgresql') },
          { DATABASE_URL: database('%2Frun%2Fpostgresql') },
          { SMTP_URL: mail('smtps', 'mail.example.com') },
          { SMTP_URL: mail('smtp', 'mail.example.com', '?requireTLS=true') },
        ]) {
          expect(parseEnvironment({ ...production, ...variables })).toMatchObject(variables);
        }
        const open = { DATABASE_URL: database('db.example.com'), SMTP_URL: mail('smtp', 'mail.example.com') };
        expect(parseEnvironment(open)).toMatchObject(open);
      });

      test('is allowed only if ALLOW_UNENCRYPTED names it', () => {
        const DATABASE_URL = database('db.example.com', '?sslmode=no-verify');
        const SMTP_URL = mail('smtp', 'mail.example.com');
        const both = { ...production, DATABASE_URL, SMTP_URL };
        expect(parseEnvironment({ ...both, ALLOW_UNENCRYPTED: 'smtp, database' })).toMatchObject({
          SMTP_URL,
        });
        expect(refusal({ ...both, ALLOW_UNENCRYPTED: 'smtp' })).toBe(databaseRefusal);
        expect(refusal({ ...both, ALLOW_UNENCRYPTED: 'database' })).toBe(mailRefusal);
        const rpc = { ETH_RPC_URL: 'http://rpc.example.com', ALLOW_UNENCRYPTED: 'smtp,database' };
        expect(refusal({ ...production, ...rpc })).toContain('ETH_RPC_URL must start with https://');
      });
    });

    test('a portal that only its machine can reach may run without TLS, and other portals report what to set', () => {
      expect(parseEnvironment({ ...production, PUBLIC_URL: 'http://localhost:3000' }).isProduction).toBe(
        true,
      );
      expect(refusal({ ...production, PUBLIC_URL: 'http://portal' })).toBe(
        'PUBLIC_URL must start with https:// in production, except on this machine (it is "http://portal"); for example PUBLIC_URL=https://portal.example.com',
      );
    });

    test.each(['IDENTITY_WIDGET_ORIGINS', 'IDENTITY_CALLBACKS', 'FRAME_ORIGINS'])(
      'a list in %s is refused if one of its entries is http',
      (name) => {
        const value = 'https://a.example,http://b.example';
        expect(refusal({ ...production, [name]: value })).toContain(`${name} must start with https://`);
        expect(() => parseEnvironment({ [name]: value })).not.toThrow();
      },
    );
  });

  test('every error names the variable, the problem and an example, and never a secret', () => {
    fc.assert(
      fc.property(fc.constantFrom(...variableNames), fc.string({ minLength: 1 }), (name, value) => {
        try {
          parseEnvironment({ [name]: value });
        } catch (error) {
          const { message } = error as ConfigurationError;
          expect(error).toBeInstanceOf(ConfigurationError);
          // The error may name another variable that is required together with it.
          expect(message).toMatch(/^(\w+) must .+; for example \1=.+$/);
          expect(message).toContain(name);
          expect(message).not.toContain('\n');
          expect(message).not.toMatch(/Invalid|expected|NaN|undefined/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('each invalid variable is refused with the words of its snapshot', () => {
    // Too short and with a control character, which few variables accept.
    const outcome = (name: string) => {
      try {
        parseEnvironment({ [name]: '\u0007' });
        return 'is accepted';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(Object.fromEntries(variableNames.map((name) => [name, outcome(name)]))).toMatchSnapshot();
  });

  test('CLICKHOUSE_URL names a database, and its password is never shown', () => {
    const near = 'http://portal:hunter2@clickhouse:8123/portal';
    expect(parseEnvironment({ CLICKHOUSE_URL: near })).toMatchObject({
      CLICKHOUSE_URL: near,
      USAGE_POSTGRES_DAYS: 7,
    });
    expect(parseEnvironment({}).CLICKHOUSE_URL).toBeUndefined();
    const example = 'for example CLICKHOUSE_URL=https://portal:password@clickhouse.example.com:8443/portal';
    expect(refusal({ CLICKHOUSE_URL: 'http://portal:hunter2@clickhouse:8123/a/b' })).toBe(
      `CLICKHOUSE_URL must end with the name of a database: letters, digits and underscores (it is set, value not shown); ${example}`,
    );
    expect(refusal({ CLICKHOUSE_URL: 'tcp://clickhouse:9000' })).toBe(
      `CLICKHOUSE_URL must be a URL that starts with http:// or https:// (it is set, value not shown); ${example}`,
    );
  });

  test('the configuration document describes every variable once', () => {
    const described = sections.flatMap(({ rows }) => rows.flatMap(({ names }) => names));
    expect(described.sort()).toEqual([...variableNames].sort());
  });
});
