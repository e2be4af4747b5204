import { defaults, VariableName } from './environment.js';

interface Row {
  names: VariableName[];
  /** What holds without the variable, where the schema has no default value that says it. */
  fallback?: string;
  text: string;
}

/** What docs/CONFIGURATION.md says about each variable. */
export const sections: { title: string; rows: Row[] }[] = [
  {
    title: 'Where the portal listens and what it serves',
    rows: [
      {
        names: ['NODE_ENV'],
        text: '`production` turns local conveniences off and requires `PUBLIC_URL`, `DATABASE_URL` and `PORTAL_SECRET`',
      },
      {
        names: ['HOST', 'PORT'],
        text: 'where the portal listens',
      },
      {
        names: ['PUBLIC_URL'],
        fallback: '`http://localhost:PORT`, or `http://HOST:PORT` for another `HOST`',
        text: 'the URL people use; sign-in messages and callbacks are bound to it; https in production, except on localhost',
      },
      {
        names: ['TRUST_PROXY'],
        text: "behind a proxy: the number of proxies in front (`1`), or their addresses and ranges; limits then apply to the proxy's clients. A number is safe only if nobody can bypass the proxy",
      },
      {
        names: ['COUNTRY_HEADER'],
        text: "behind a proxy that names each client's country: the header that holds its ISO 3166 code, such as `CF-IPCountry`, for the regions under a project's users. The proxy must overwrite it. Without it, the browser's time zone tells the region",
      },
      {
        names: ['DATA_DIR'],
        text: 'the folder for the embedded database, the local secret and profile photos',
      },
      {
        names: ['WEB_ROOT'],
        fallback: '`frontend/dist`',
        text: 'the folder with the built `app` and `widget`',
      },
      {
        names: ['DRAIN_SECONDS'],
        fallback: '`0`; `5` in the image',
        text: 'how long the portal goes on serving after SIGTERM while `/health/ready` returns 503, so that a load balancer sends new requests elsewhere',
      },
      {
        names: ['SHUTDOWN_SECONDS'],
        text: 'how long in-flight requests may take to finish on shutdown',
      },
      {
        names: ['LOG_LEVEL'],
        text: '`error`, `warn`, `log` or `debug`',
      },
      {
        names: ['ACCESS_LOG'],
        text: '`on` logs each request with method, path (no query), status, duration, request id and user id; neither the address nor the API key',
      },
      {
        names: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
        fallback: 'off',
        text: 'an OpenTelemetry collector that takes OTLP over HTTP (`http://collector:4318`): gets a span of each request, of its database queries and of its outgoing requests; `OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_EXPORTER_OTLP_HEADERS` act as OpenTelemetry defines them',
      },
      {
        names: ['METRICS_TOKEN'],
        text: 'lets other machines read `GET /metrics` with `Authorization: Bearer …`; at least 16 characters. Without it, only programs on the same machine can read the metrics',
      },
    ],
  },
  {
    title: 'Database and secrets',
    rows: [
      {
        names: ['DATABASE_URL'],
        fallback: 'the embedded database',
        text: 'PostgreSQL 16 or newer, `postgres://user:password@host:5432/name`; add `?sslmode=require` for TLS, which production requires; several hosts as `a,b:5433` ([operations](OPERATIONS.md))',
      },
      {
        names: ['DATABASE_POOL'],
        text: 'database connections for requests; the portal opens up to five more for its own work',
      },
      {
        names: ['MIGRATE'],
        text: '`off`: a start applies no migrations, and fails if the database lacks some; run `node backend/dist/main.js migrate` before it ([operations](OPERATIONS.md))',
      },
      {
        names: ['PORTAL_SECRET'],
        fallback: 'generated on first start and stored in `DATA_DIR`, mode 0600',
        text: 'the master secret, at least 32 characters, in production random ones; every other secret is derived from it',
      },
      {
        names: ['PORTAL_SECRET_PREVIOUS'],
        text: 'the old secret during rotation. On start, every key is re-encrypted with `PORTAL_SECRET`; then remove this. With several instances, restart all with the old secret as `PORTAL_SECRET` and the new one here, then restart all with the two swapped',
      },
      {
        names: ['ALLOW_UNENCRYPTED'],
        text: 'allows unverified or unencrypted connections in production to `smtp`, `database` or both (comma-separated). Not needed for localhost, Unix sockets or host names without a dot',
      },
    ],
  },
  {
    title: 'Email and profile photos',
    rows: [
      {
        names: ['SMTP_URL', 'MAIL_FROM'],
        fallback:
          'outside production with a local `PUBLIC_URL`, a mailbox at `/dev/mailbox`; otherwise no email is sent. `Orange ID <no-reply@localhost>`',
        text: "the server that sends email, and the sender's address. Without a server or the mailbox, requests that need an email return 501. Production requires `smtps://`, or `smtp://` with `?requireTLS=true` (STARTTLS)",
      },
      {
        names: [
          'PICTURES_S3_ENDPOINT',
          'PICTURES_S3_BUCKET',
          'PICTURES_S3_REGION',
          'PICTURES_S3_KEY_ID',
          'PICTURES_S3_SECRET',
        ],
        fallback: 'the folder `pictures` in `DATA_DIR`; region `us-east-1`',
        text: 'S3-compatible storage for profile photos (path style, Signature Version 4); several instances need it or a shared folder',
      },
    ],
  },
  {
    title: 'Signing in',
    rows: [
      {
        names: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'GOOGLE_ISSUER'],
        fallback: 'a built-in provider on this machine, outside production',
        text: "Google's credentials; without them, in production, Google sign-in isn't offered",
      },
      {
        names: ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY', 'APPLE_ISSUER'],
        fallback: 'a built-in provider on this machine, outside production',
        text: "Apple's credentials; the private key is the text of the `.p8` file with its line breaks written as `\\n`",
      },
      {
        names: ['WALLETCONNECT_ID'],
        text: 'a WalletConnect project ID; with it, people can sign in with a wallet on their phone by scanning a code',
      },
      {
        names: ['SUBSCRIPTION_KEY'],
        text: 'the publishable key that the identity client sends',
      },
      {
        names: ['TENANT_ID'],
        text: 'the tenant that the identity client names; also the audience of access tokens',
      },
      {
        names: ['PASSPORT_BETA'],
        text: "`true` loads the identity service's beta panel",
      },
    ],
  },
  {
    title: 'Hosted services',
    rows: [
      {
        names: ['IDENTITY_URL'],
        fallback: 'the embedded identity service',
        text: 'a hosted identity service. Its tokens are rejected if they name another portal or tenant',
      },
      {
        names: ['IDENTITY_WIDGET_ORIGINS'],
        fallback: 'the origin of `IDENTITY_URL`',
        text: 'comma-separated origins that serve its login widget, if different',
      },
      {
        names: ['IDENTITY_CALLBACKS'],
        text: "comma-separated `/auth/callback` URLs of other portals that sign in with this portal's identity service; their tokens work at their own portal, not at this one. Not allowed with `IDENTITY_URL`",
      },
      {
        names: ['PROFILE_SERVICE_URL', 'PROFILE_SERVICE_KEY'],
        fallback: 'the embedded profile service',
        text: 'a hosted profile service that stores profiles and photos, and the key it issued to this portal; the key stays on the server',
      },
      {
        names: ['PROJECT_SERVICE_URL', 'PROJECT_SERVICE_KEY'],
        fallback: 'the embedded project service',
        text: 'a hosted project service that stores projects, and the key it issued to this portal; the key stays on the server',
      },
    ],
  },
  {
    title: 'Ethereum',
    rows: [
      {
        names: ['ETH_RPC_URL'],
        text: 'the Ethereum mainnet node for the wallet API and smart accounts. In production, smart accounts can sign in only if this is set, and it must use https, except on localhost or for host names without a dot',
      },
      {
        names: ['ETH_RPC_URL_SECOND'],
        text: 'a second node, from another operator, that must agree before a smart account signs in or is linked',
      },
      {
        names: ['ETH_PRICE_FEED'],
        fallback: 'Chainlink ETH/USD on Ethereum mainnet',
        text: 'the on-chain price feed behind `usd_value`',
      },
    ],
  },
  {
    title: 'Usage and limits',
    rows: [
      {
        names: ['USAGE_DURABILITY'],
        text: '`durable`: the response is sent after its usage row is committed; `buffered`: the response is sent first, and a crash can lose the rows of up to 10,000 answered calls',
      },
      {
        names: ['USAGE_RETENTION_MONTHS'],
        text: 'how many months of individual calls, and of sign-ins in the apps of projects, to keep, besides the current month. Older rows are dropped; the totals per hour and day of calls, and the totals of users, stay. `0` keeps rows forever',
      },
      {
        names: ['CLICKHOUSE_URL'],
        fallback: 'none: PostgreSQL keeps every call',
        text: 'the HTTP address of a ClickHouse server (18.16 or newer) with user, password and database, for more calls than one PostgreSQL can hold. Calls are stored in PostgreSQL first and copied within seconds; the usage page and exports read older ones from ClickHouse. docs/SCALE.md says when it pays',
      },
      {
        names: ['USAGE_POSTGRES_DAYS'],
        text: 'with `CLICKHOUSE_URL`: how many days of individual calls PostgreSQL keeps once ClickHouse has them; `0` keeps them as long as ClickHouse does. Without `CLICKHOUSE_URL` it has no effect',
      },
      {
        names: ['USAGE_DAILY_QUOTA'],
        text: 'how many calls per owner are answered each UTC day, over all keys; further calls get 429 until midnight UTC; `0` for no quota',
      },
      {
        names: ['RATE_LIMIT_PER_ADDRESS', 'RATE_LIMIT_PER_KEY'],
        text: "how many calls with an API key are accepted per second from one client address, and with one key; a key's own limit can be lower",
      },
      {
        names: ['SIGN_IN_LIMIT_PER_ADDRESS', 'SIGN_IN_LIMIT_PER_ACCOUNT'],
        text: 'sign-in attempts per minute from one client address, and per account from one address (ten times that from all addresses)',
      },
      {
        names: ['MAIL_LIMIT_PER_CLIENT'],
        text: 'confirmation and reset emails per hour that one client address (IPv6: /64) can request, to any mailbox. Above the limit, accounts are created without a confirmation email and resets return 429',
      },
    ],
  },
  {
    title: 'Community, pages and links',
    rows: [
      {
        names: ['ADMINISTRATORS'],
        text: 'who moderates the community and may run the commands of administrators (see OPERATIONS.md): confirmed emails or wallet addresses that signed in, separated by commas',
      },
      {
        names: ['PLAYGROUND_ORIGIN'],
        fallback: '`http://playground.localhost:PORT` if `PUBLIC_URL` is on localhost, otherwise none',
        text: 'a second origin of this portal, on a host name of its own, where the playground of the Games SDK Guide runs games; send its requests to the portal with their `Host`. Without it, the playground runs the sample and games of the developer’s own machine only',
      },
      {
        names: ['API_REFERENCE_URL', 'CONFIGURATOR_URL', 'FRAME_ORIGINS'],
        fallback: 'the portal’s own; –',
        text: 'other pages for the frames of `/api` and `/customisation`, which must be on `FRAME_ORIGINS`: the comma-separated origins of other sites that pages may show in a frame',
      },
      {
        names: ['LINK_DOCS'],
        fallback: '`/docs` of the portal',
        text: "the site that the portal's links to the documentation lead to",
      },
      {
        names: ['LINK_TEMPLATE_PROJECT', 'LINK_REACT_GUIDE', 'LINK_SCRIPT_EXAMPLE'],
        text: "the pages that 'Use Template', 'View Guide' and 'View Example' open, in place of the portal's own template, documentation and example",
      },
      {
        names: ['LINK_GAME_FORM', 'LINK_GAME_LISTING', 'LINK_GAME_REPOSITORY'],
        fallback: 'a form for new issues; the product’s site; its repositories',
        text: 'where the Games SDK Guide sends developers to submit their game, to see listed games, and to the repository; `none` leaves the card out',
      },
      {
        names: ['LINK_FEEDBACK', 'LINK_LEARN_MORE', 'LINK_TELEGRAM', 'LINK_X', 'LINK_DISCORD', 'LINK_NEWS'],
        fallback: 'public pages',
        text: 'external pages that the portal links to',
      },
    ],
  },
];

const isEmpty = (value: unknown) => String(value ?? '') === '';
const defaultOf = ({ names, fallback }: Row): string =>
  fallback ??
  names.map((name) => (isEmpty(defaults[name]) ? '–' : `\`${String(defaults[name])}\``)).join(', ');

/** The text of docs/CONFIGURATION.md. */
export function configurationText(): string {
  const tables = sections.map(({ title, rows }) =>
    [
      `## ${title}`,
      '',
      '| variable | default | what it is |',
      '| --- | --- | --- |',
      ...rows.map(
        (row) => `| ${row.names.map((name) => `\`${name}\``).join(', ')} | ${defaultOf(row)} | ${row.text} |`,
      ),
      '',
    ].join('\n'),
  );
  return `# Configuration

The portal reads environment variables once, at start. If values are invalid, it exits with a line for each that names the variable, the problem and an example. Local use needs no configuration. A variable that holds a secret can be read from a file: \`PORTAL_SECRET_FILE=/run/secrets/portal\` in place of \`PORTAL_SECRET\`. \`node backend/dist/main.js check\` also asks the database, the mail server, ClickHouse, the picture storage and the Ethereum node, and names every problem at once. [DEPLOYMENT.md](DEPLOYMENT.md) says what production needs.

\`npm run configuration\` writes this file from \`backend/src/config/environment.text.ts\`.

${tables.join('\n')}`;
}
