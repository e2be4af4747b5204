import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isGuessable } from './secret.rule.js';
import { parseTrustedProxies } from './trusted.proxies.js';
import { registeredCallback } from './callback.rule.js';
import { asksForPrimary, databaseUrlsOf } from './database.address.js';
import { bracketed, isDatabaseLinkOpen, isLoopback, isMailLinkOpen, isPrivateName } from './network.rule.js';

/** Lines that an operator can act on: the variable, the problem, an example. Ends the process with exit code 1. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** A text that stands for one or several URLs. */
const urls = (urlsOf: (text: string) => string[], ...protocols: string[]) =>
  z.string().refine((text) => urlsOf(text).every((each) => isUrl(each, protocols)), {
    message: `must be a URL that starts with ${protocols.map((name) => `${name}://`).join(' or ')}`,
    abort: true,
  });
const isUrl = (text: string, protocols: string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1));
const url = (...protocols: string[]) => urls((text) => [text], ...protocols);
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
const withoutLastSlashes = (text: string): string =>
  text.endsWith('/') ? withoutLastSlashes(text.slice(0, -1)) : text;
const web = url('http', 'https').transform(withoutLastSlashes);
const secret = z.string().min(32, 'must have at least 32 characters');
const whole = (what: string, min: number, max: number) => {
  const message = `must be a whole number of ${what} from ${min} to ${max}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};
const portMessage = 'must be a number from 0 to 65535';
const port = z.coerce.number(portMessage).int(portMessage).min(0, portMessage).max(65535, portMessage);
const origin = web.refine((text) => new URL(text).origin === text, {
  message: 'must be a URL in lower case without path, query, user or default port',
});

const webOrNone = z.union(
  [z.literal('none'), web],
  'must be a URL that starts with http:// or https://, or none',
);

const text = z.string().min(1, 'must not be empty');
/** A value that is put into a header unchanged. */
const headerText = z.string().regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');
const listed = z.string().transform((list) => list.split(',').map((address) => address.trim()));
const origins = listed
  .refine((list) => list.every((address) => origin.safeParse(address).success), {
    message: 'must be URLs in lower case without path, query, user or default port, separated by commas',
  })
  .transform((list) => list.map((address) => new URL(address).origin));
/** Only addresses that the redirect rule can match may be registered. */
const callbacks = listed.refine(
  (list) => list.every((address) => registeredCallback(address, [address]) !== null),
  { message: 'must be http:// or https:// URLs without user or fragment, separated by commas' },
);

/** Apple's keys are on the curve P-256. */
function isAppleKey(key: string): boolean {
  try {
    return createPrivateKey(key).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

const shape = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'must be development, test or production')
    .default('development'),
  HOST: z
    .string()
    .refine((host) => URL.canParse(`http://${bracketed(host)}:1`), 'must be a host name or an address')
    .default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: text.default('.data'),
  WEB_ROOT: text.optional(),
  DATABASE_URL: urls(databaseUrlsOf, 'postgres', 'postgresql')
    .refine(asksForPrimary, 'must have target_session_attrs=read-write, or none: the portal always writes')
    // Its parts are percent-decoded (RFC 3986 §2.1); a raw password may not be decodable.
    .refine(isDecodable, 'must have each % in a name or password written as %25')
    .optional(),
  PORTAL_SECRET: secret.optional(),
  PORTAL_SECRET_PREVIOUS: secret.optional(),
  IDENTITY_URL: origin.optional(),
  IDENTITY_WIDGET_ORIGINS: origins.optional(),
  IDENTITY_CALLBACKS: callbacks.optional(),
  PROJECT_SERVICE_URL: origin.optional(),
  PROJECT_SERVICE_KEY: headerText.optional(),
  PROFILE_SERVICE_URL: origin.optional(),
  PROFILE_SERVICE_KEY: headerText.optional(),
  SUBSCRIPTION_KEY: text.default('DEMO_BEDROCK_PASSPORT_KEY'),
  TENANT_ID: text.default('orange-0000000000'),
  PASSPORT_BETA: z.enum(['true', 'false'], 'must be true or false').default('false'),
  WALLETCONNECT_ID: text.optional(),
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),
  GOOGLE_ISSUER: web.default('https://accounts.google.com'),
  APPLE_CLIENT_ID: text.optional(),
  APPLE_TEAM_ID: text.optional(),
  APPLE_KEY_ID: text.optional(),
  APPLE_PRIVATE_KEY: z
    .string()
    .transform((key) => key.replaceAll('\\n', '\n'))
    .refine(isAppleKey, 'must be the text of Apple’s .p8 file')
    .optional(),
  APPLE_ISSUER: web.default('https://appleid.apple.com'),
  SMTP_URL: url('smtp', 'smtps').optional(),
  ALLOW_UNENCRYPTED: listed
    .refine((links) => links.every((link) => link === 'smtp' || link === 'database'), {
      message: 'must be smtp, database or both, separated by a comma',
    })
    .default([]),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\s<>@]+@[^\s<>@]+|[^<>\p{Cc}]* <[^\s<>@]+@[^\s<>@]+>)$/u,
      'must be an email address, or a name and an address',
    )
    .default('Orange ID <no-reply@localhost>'),
  PICTURES_S3_ENDPOINT: origin.optional(),
  PICTURES_S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be a bucket name: 3 to 63 lower-case letters, digits, dots and hyphens',
    )
    .optional(),
  PICTURES_S3_REGION: text.default('us-east-1'),
  PICTURES_S3_KEY_ID: text.optional(),
  PICTURES_S3_SECRET: text.optional(),
  ETH_RPC_URL: web.default('https://ethereum-rpc.publicnode.com'),
  ETH_RPC_URL_SECOND: web.optional(),
  ETH_PRICE_FEED: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a contract address')
    .default('0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419'),
  USAGE_DURABILITY: z.enum(['durable', 'buffered'], 'must be durable or buffered').default('durable'),
  USAGE_RETENTION_MONTHS: whole('months', 0, 1200).default(13),
  USAGE_DAILY_QUOTA: whole('calls', 0, 1_000_000_000).default(1_000_000),
  CLICKHOUSE_URL: url('http', 'https')
    .refine(isDecodable, 'must have each % in a name or password written as %25')
    .refine(
      (address) => !URL.canParse(address) || /^\/\w*$/.test(new URL(address).pathname),
      'must end with the name of a database: letters, digits and underscores',
    )
    .optional(),
  USAGE_POSTGRES_DAYS: whole('days', 0, 10_000).default(7),
  MIGRATE: z.enum(['on', 'off'], 'must be on or off').default('on'),
  DATABASE_POOL: whole('connections', 2, 200).default(10),
  RATE_LIMIT_PER_ADDRESS: whole('calls per second', 1, 1_000_000).default(2000),
  RATE_LIMIT_PER_KEY: whole('calls per second', 1, 1_000_000).default(1000),
  SIGN_IN_LIMIT_PER_ADDRESS: whole('attempts per minute', 1, 1_000_000).default(60),
  SIGN_IN_LIMIT_PER_ACCOUNT: whole('attempts per minute', 1, 1_000_000).default(10),
  MAIL_LIMIT_PER_CLIENT: whole('emails per hour', 1, 1_000_000).default(30),
  TRUST_PROXY: z
    .string()
    .transform(parseTrustedProxies)
    .refine((proxies) => proxies !== null, 'must be a number of proxies from 1 to 9, or addresses and ranges')
    .optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header: letters, digits and hyphens')
    .transform((name) => name.toLowerCase())
    .optional(),
  ADMINISTRATORS: listed
    .refine((names) => names.every((name) => /^([^\s@]+@[^\s@]+|0x[0-9a-fA-F]{40})$/.test(name)), {
      message: 'must be confirmed emails or wallet addresses, separated by commas',
    })
    .optional(),
  METRICS_TOKEN: headerText.min(16, 'must have at least 16 characters').optional(),
  DRAIN_SECONDS: whole('seconds', 0, 600).default(0),
  SHUTDOWN_SECONDS: whole('seconds', 1, 600).default(10),
  OTEL_EXPORTER_OTLP_ENDPOINT: web.optional(),
  ACCESS_LOG: z.enum(['on', 'off'], 'must be on or off').default('off'),
  LOG_LEVEL: z.enum(['error', 'warn', 'log', 'debug'], 'must be error, warn, log or debug').default('log'),
  API_REFERENCE_URL: web.optional(),
  CONFIGURATOR_URL: web.optional(),
  FRAME_ORIGINS: origins.optional(),
  PLAYGROUND_ORIGIN: origin.optional(),
  LINK_DOCS: web.optional(),
  LINK_FEEDBACK: web.default('https://github.com/rfl-nftplatform/bedrock-passport-example/issues'),
  LINK_LEARN_MORE: web.default('https://bedrockpassport.com'),
  LINK_TEMPLATE_PROJECT: web.optional(),
  LINK_REACT_GUIDE: web.optional(),
  LINK_SCRIPT_EXAMPLE: web.optional(),
  LINK_GAME_FORM: webOrNone.default('https://github.com/rfl-nftplatform/bedrock-passport-example/issues/new'),
  LINK_GAME_LISTING: webOrNone.default('https://bedrockpassport.com'),
  LINK_GAME_REPOSITORY: webOrNone.default('https://github.com/rfl-nftplatform'),
  LINK_TELEGRAM: web.default('https://telegram.org'),
  LINK_X: web.default('https://x.com'),
  LINK_DISCORD: web.default('https://discord.com'),
  LINK_NEWS: web.default('https://bedrockpassport.com'),
};

const schema = z.object(shape);
type Parsed = z.infer<typeof schema>;
export type VariableName = keyof Parsed;

/** All supported variables. */
export const variableNames = Object.keys(shape);

/** What each variable is if it is not set. */
export const defaults: Parsed = schema.parse({});

/** A valid value of each variable, for its error message: the default, or the value below. */
const examples: Record<VariableName, unknown> = {
  ...defaults,
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://portal.example.com',
  WEB_ROOT: 'frontend/dist',
  COUNTRY_HEADER: 'CF-IPCountry',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  TRUST_PROXY: '1 or 10.0.0.0/8,192.0.2.1',
  DATABASE_URL: 'postgres://portal:password@localhost:5432/portal',
  PORTAL_SECRET: 'the output of: openssl rand -hex 32',
  PORTAL_SECRET_PREVIOUS: 'the value PORTAL_SECRET had before',
  WALLETCONNECT_ID: 'the ID of your WalletConnect project',
  IDENTITY_URL: 'https://id.example.com',
  IDENTITY_WIDGET_ORIGINS: 'https://cdn.example.com',
  IDENTITY_CALLBACKS: 'https://other-portal.example.com/auth/callback',
  PROJECT_SERVICE_URL: 'https://projects.example.com',
  PROJECT_SERVICE_KEY: 'the key that the project service gave this portal',
  PROFILE_SERVICE_URL: 'https://profiles.example.com',
  PROFILE_SERVICE_KEY: 'the key that the profile service gave this portal',
  GOOGLE_CLIENT_ID: '1234567890-abc.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: 'the client secret of your Google project',
  APPLE_CLIENT_ID: 'com.example.portal',
  APPLE_TEAM_ID: 'A1B2C3D4E5',
  APPLE_KEY_ID: 'F6G7H8I9J0',
  APPLE_PRIVATE_KEY: 'the text of the .p8 file, with its line breaks written as \\n',
  SMTP_URL: 'smtps://user:password@mail.example.com:465',
  ALLOW_UNENCRYPTED: 'smtp,database',
  ETH_RPC_URL_SECOND: 'https://rpc.example.com',
  API_REFERENCE_URL: 'https://docs.example.com/api',
  CONFIGURATOR_URL: 'https://docs.example.com/configurator',
  FRAME_ORIGINS: 'https://docs.example.com',
  PLAYGROUND_ORIGIN: 'https://games.example.com',
  LINK_DOCS: 'https://docs.example.com',
  LINK_TEMPLATE_PROJECT: 'https://github.com/example/template',
  LINK_REACT_GUIDE: 'https://docs.example.com/react',
  LINK_SCRIPT_EXAMPLE: 'https://example.com/sign-in',
  ADMINISTRATORS: 'ada@example.com,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  METRICS_TOKEN: 'the output of: openssl rand -hex 32',
  PICTURES_S3_ENDPOINT: 'https://s3.eu-central-1.amazonaws.com',
  PICTURES_S3_BUCKET: 'portal-pictures',
  PICTURES_S3_KEY_ID: 'the ID of an access key',
  PICTURES_S3_SECRET: 'the secret of that access key',
  CLICKHOUSE_URL: 'https://portal:password@clickhouse.example.com:8443/portal',
};

/** The variables that a provider requires. */
export const providerVariables = {
  google: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  apple: ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
} as const satisfies Record<string, (keyof Parsed)[]>;

/** Either all variables of a line are set or none. */
const setTogether = [
  ['PROJECT_SERVICE_URL', 'PROJECT_SERVICE_KEY'],
  ['PROFILE_SERVICE_URL', 'PROFILE_SERVICE_KEY'],
  providerVariables.google,
  providerVariables.apple,
  ['PICTURES_S3_ENDPOINT', 'PICTURES_S3_BUCKET', 'PICTURES_S3_KEY_ID', 'PICTURES_S3_SECRET'],
] as const satisfies (readonly (keyof Parsed)[])[];

/** Addresses that receive tokens or codes, provide scripts of the portal's pages, or are shown in them. */
const overTheNetwork = [
  'PUBLIC_URL',
  'IDENTITY_URL',
  'IDENTITY_WIDGET_ORIGINS',
  'IDENTITY_CALLBACKS',
  'PROJECT_SERVICE_URL',
  'PROFILE_SERVICE_URL',
  'GOOGLE_ISSUER',
  'APPLE_ISSUER',
  'API_REFERENCE_URL',
  'CONFIGURATOR_URL',
  'FRAME_ORIGINS',
  'PLAYGROUND_ORIGIN',
] as const satisfies (keyof Parsed)[];

/**
 * Addresses that only the server requests: an attacker on the network path could forge the response for every smart
 * account, or read and change uploads.
 */
const betweenServers = [
  'ETH_RPC_URL',
  'ETH_RPC_URL_SECOND',
  'PICTURES_S3_ENDPOINT',
  'CLICKHOUSE_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
] as const satisfies (keyof Parsed)[];

const httpsProblem = 'must start with https:// in production, except on this machine';

/** The other links between servers: an attacker on the path reads passwords, and on the database link everything. */
const otherLinks = [
  {
    name: 'DATABASE_URL',
    isOpen: isDatabaseLinkOpen,
    link: 'database',
    demand: 'ask for TLS with ?sslmode=require',
  },
  {
    name: 'SMTP_URL',
    isOpen: isMailLinkOpen,
    link: 'smtp',
    demand: 'use TLS with a verified certificate (smtps://, or smtp:// with ?requireTLS=true)',
  },
] as const;

/** Unencrypted, and to another machine. */
function isOpenToRead(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}

/** The whole configuration, parsed once. `PUBLIC_URL` has no trailing slash; `dataDir` is absolute. */
export interface Environment extends Omit<Parsed, 'PUBLIC_URL' | 'PLAYGROUND_ORIGIN'> {
  PUBLIC_URL: string;
  /** Where games run; `null` for a portal without a second origin. */
  PLAYGROUND_ORIGIN: string | null;
  dataDir: string;
  isProduction: boolean;
  /**
   * In production only with a node that the operator chose: the operator of the node can impersonate any smart account.
   */
  verifiesSmartAccounts: boolean;
}

/** The callback address after a sign-in at this portal. */
export const callbackUrlOf = ({ PUBLIC_URL }: Pick<Environment, 'PUBLIC_URL'>): string =>
  `${PUBLIC_URL}/auth/callback`;

type Portals = Pick<Environment, 'PUBLIC_URL' | 'IDENTITY_CALLBACKS'>;

/**
 * The callbacks that a sign-in with the embedded identity service may lead to: of this portal, and of the portals it
 * serves.
 */
export const registeredCallbacksOf = (environment: Portals): string[] => [
  callbackUrlOf(environment),
  ...(environment.IDENTITY_CALLBACKS ?? []),
];

/** The origins of the other portals that sign in here. */
export const otherPortalsOf = ({ PUBLIC_URL, IDENTITY_CALLBACKS = [] }: Portals): string[] =>
  [...new Set(IDENTITY_CALLBACKS.map((callback) => new URL(callback).origin))].filter(
    (origin) => origin !== PUBLIC_URL,
  );

/** Whether `PUBLIC_URL` points to this machine. Other machines can open a portal at any other URL. */
export const isOwnMachine = ({ PUBLIC_URL }: Pick<Environment, 'PUBLIC_URL'>): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(PUBLIC_URL).hostname);

/**
 * Whether emails are kept to be read at /dev/mailbox: nothing sends them, and this is not a production portal. A proxy
 * on this machine may forward anyone's requests, so the portal's own address must be one of this machine.
 */
export const servesMailbox = (
  environment: Pick<Environment, 'isProduction' | 'PUBLIC_URL' | 'SMTP_URL' | 'IDENTITY_URL'>,
): boolean =>
  !environment.isProduction &&
  isOwnMachine(environment) &&
  !environment.SMTP_URL &&
  !environment.IDENTITY_URL;

/**
 * Parses environment variables; an empty variable counts as not set, and `NAME_FILE` names a file with the value of a
 * secret. Throws `ConfigurationError` with one line for each problem.
 */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const { present, problems } = readSecretFiles(source);
  const refuse = (name: VariableName, problem: string) =>
    void problems.push(problemText(name, problem, present));
  const isProduction = present['NODE_ENV'] === 'production';
  if (isProduction) {
    for (const name of ['PORTAL_SECRET', 'PUBLIC_URL', 'DATABASE_URL'] as const) {
      if (present[name] === undefined) refuse(name, 'must be set when NODE_ENV is production');
    }
  }
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    const refused = new Set<unknown>();
    for (const { path, message } of parsed.error.issues) {
      if (!refused.has(path[0])) refuse(path[0] as VariableName, message);
      refused.add(path[0]);
    }
    // The rules below need all values.
    throw new ConfigurationError(problems.join('\n'));
  }
  const values = parsed.data;
  // PORTAL_SECRET_PREVIOUS may be guessable, so that an operator can leave such a secret.
  if (isProduction && values.PORTAL_SECRET !== undefined && isGuessable(values.PORTAL_SECRET)) {
    refuse('PORTAL_SECRET', 'must be random in production, not repeated characters or an example');
  }
  if (isProduction) {
    for (const name of overTheNetwork) {
      const addresses = [values[name] ?? []].flat();
      if (addresses.some(isOpenToRead)) {
        refuse(name, httpsProblem);
      }
    }
    for (const name of betweenServers) {
      const address = values[name];
      if (address !== undefined && isOpenToRead(address) && !isPrivateName(new URL(address).hostname)) {
        refuse(name, `${httpsProblem} or for host names without a dot`);
      }
    }
    for (const { name, isOpen, link, demand } of otherLinks) {
      const address = values[name];
      if (address !== undefined && isOpen(address) && !values.ALLOW_UNENCRYPTED.includes(link)) {
        const except = 'except on this machine or for host names without a dot';
        refuse(name, `must ${demand} in production, ${except}, unless ALLOW_UNENCRYPTED names ${link}`);
      }
    }
  }
  for (const names of setTogether) {
    const missing = names.find((name) => values[name] === undefined);
    const set = names.find((name) => values[name] !== undefined);
    if (missing && set) refuse(missing, `must be set when ${set} is`);
  }
  if (values.IDENTITY_URL && values.IDENTITY_CALLBACKS) {
    problems.push('IDENTITY_CALLBACKS must not be set when IDENTITY_URL is set; remove one of them');
  }
  if (values.ETH_RPC_URL_SECOND !== undefined) {
    if (present['ETH_RPC_URL'] === undefined) {
      refuse('ETH_RPC_URL', 'must be set when ETH_RPC_URL_SECOND is');
    }
    if (values.ETH_RPC_URL_SECOND === values.ETH_RPC_URL) {
      refuse('ETH_RPC_URL_SECOND', 'must be a different node from ETH_RPC_URL');
    }
  }
  const { FRAME_ORIGINS: framed = [] } = values;
  for (const name of ['API_REFERENCE_URL', 'CONFIGURATOR_URL'] as const) {
    const address = values[name];
    if (address !== undefined && !framed.includes(new URL(address).origin)) {
      refuse(name, 'must be on an origin that FRAME_ORIGINS lists');
    }
  }
  const host = bracketed(values.HOST);
  const local = ['127.0.0.1', '0.0.0.0', '[::1]', '[::]'].includes(host) ? 'localhost' : host;
  // An origin, as browsers send it and tokens contain it.
  const publicUrl = values.PUBLIC_URL ?? new URL(`http://${local}:${values.PORT}`).origin;
  for (const name of ['IDENTITY_URL', 'PROJECT_SERVICE_URL', 'PROFILE_SERVICE_URL'] as const) {
    if (values[name] !== publicUrl) continue;
    refuse(name, 'must be the URL of a service other than this portal');
  }
  if (framed.includes(publicUrl)) {
    refuse('FRAME_ORIGINS', 'must list origins other than PUBLIC_URL');
  }
  const playground = values.PLAYGROUND_ORIGIN ?? localPlayground(publicUrl);
  if (playground !== null && new URL(playground).hostname === new URL(publicUrl).hostname) {
    refuse('PLAYGROUND_ORIGIN', 'must have another host name than PUBLIC_URL');
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  return {
    ...values,
    PUBLIC_URL: publicUrl,
    PLAYGROUND_ORIGIN: playground,
    dataDir: resolve(values.DATA_DIR),
    isProduction,
    verifiesSmartAccounts: !isProduction || present['ETH_RPC_URL'] !== undefined,
  };
}

/** Browsers resolve every name below `localhost` to this machine. */
function localPlayground(publicUrl: string): string | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  return hostname === 'localhost' ? `${protocol}//playground.localhost${port && `:${port}`}` : null;
}

/** Variables whose value is never shown, and which a file can hold. */
const isSecret = (name: string): boolean =>
  /SECRET|PRIVATE|SERVICE_KEY|METRICS_TOKEN/.test(name) ||
  ['DATABASE_URL', 'CLICKHOUSE_URL', 'ETH_RPC_URL', 'ETH_RPC_URL_SECOND', 'SMTP_URL'].includes(name);

/** The variables that are set; the value of a secret may come from the file that `NAME_FILE` names. */
function readSecretFiles(source: Record<string, string | undefined>) {
  const present = Object.fromEntries(
    Object.entries(source).filter(([name, value]) => name in shape && value !== ''),
  );
  const problems: string[] = [];
  for (const name of variableNames.filter(isSecret)) {
    const file = source[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    if (present[name] !== undefined) {
      problems.push(`${name}_FILE must not be set when ${name} is; remove one of them`);
      continue;
    }
    try {
      present[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(
        `${name}_FILE must be a file that the portal can read (it is ${JSON.stringify(file)}; reading failed with ${code}); ` +
          `for example ${name}_FILE=/run/secrets/${name.toLowerCase()}`,
      );
    }
  }
  return { present, problems };
}

function problemText(
  name: VariableName,
  problem: string,
  present: Record<string, string | undefined>,
): string {
  const given =
    present[name] === undefined
      ? 'not set'
      : isSecret(name)
        ? 'set, value not shown'
        : JSON.stringify(present[name]);
  return `${name} ${problem} (it is ${given}); for example ${name}=${String(examples[name])}`;
}
