import { explorerPath } from './docs.url.js';
import type { DocsSection } from './docs.blocks.js';
import { curlFor, keyPlaceholder } from './call.snippets.js';
import { errorTable, type ErrorCode } from './error.codes.js';
import { keyPath } from './first.call.js';
import { signInSections } from './docs.sign-in.js';

const errorRows = (codes: readonly ErrorCode[]) =>
  codes.map((code) => [String(errorTable[code].status), `\`${code}\``, errorTable[code].message]);

/**
 * What the first two tabs say, for a portal at `baseUrl` whose users sign in at `identityUrl`. The API reference is in
 * `docs.reference.ts`.
 */
export function docsSections(
  baseUrl: string,
  identityUrl: string,
): {
  overview: readonly [DocsSection, ...DocsSection[]];
  authentication: readonly DocsSection[];
} {
  return {
    overview: [
      {
        id: 'overview-first-call',
        title: 'Make your first call',
        blocks: [
          {
            text: '**1. Sign in and [create a project](/orange-id).** It takes three steps: a name, the URLs of your site, the API key. For a script or a server, you can create a key without a project on [API Keys](/keys).',
          },
          {
            text: `**2. Make a call.** Run this command with your key in place of \`${keyPlaceholder}\` (filled in here if you’re signed in and have one), or send the call from the [API Explorer](${explorerPath('key')}).`,
          },
          {
            code: curlFor(keyPath, { baseUrl, apiKey: keyPlaceholder }),
            label: 'curl command',
            language: 'Terminal',
          },
          { text: 'The response shows the key’s name, prefix and project (`null` for a key without one):' },
          {
            code: JSON.stringify(keyPath.samples[0].body, null, 2),
            label: 'example response',
            language: 'JSON',
          },
          { text: '**3. See it in [Usage](/usage).** The call is already there.' },
          {
            text: 'The API is separate from the sign-in of your own site: see [Add sign-in](#authentication-sign-in).',
          },
        ],
      },
      {
        id: 'overview-requests',
        title: 'Requests and responses',
        blocks: [
          {
            list: [
              `Every URL starts with \`${baseUrl}/api/v1\`.`,
              'Send parameters in the path or the query, and the body of a `POST` as JSON with `Content-Type: application/json`. Unknown parameters and fields return 400, so you notice typos.',
              'Responses are JSON. Amounts such as `balance` are decimal strings, because a JSON number can’t hold them exactly; times are UTC in ISO 8601.',
              'Web pages can call the API directly: responses carry CORS headers. See [Allowed URLs](#authentication-origins).',
              'Every call with a known key appears in [Usage](/usage) with its path, status, duration and origin.',
            ],
          },
        ],
      },
      {
        id: 'overview-errors',
        title: 'Errors',
        blocks: [
          {
            text: 'An error has the status of the response, a message that says what to do, and a `code` that stays the same when the message changes. `details` names each wrong field.',
          },
          {
            code: JSON.stringify(
              {
                statusCode: 400,
                message: 'blocks: must be a whole number from 1 to 20 (given "50")',
                error: 'Bad Request',
                code: 'request.invalid',
                details: [{ path: 'blocks', message: 'must be a whole number from 1 to 20', given: '50' }],
              },
              null,
              2,
            ),
            label: 'example error',
            language: 'JSON',
          },
          {
            table: {
              head: ['Status', 'Code', 'Message'],
              rows: errorRows([
                'request.invalid',
                'key.invalid',
                'key.originRefused',
                'route.notFound',
                'request.rateLimited',
                'service.tooManyCalls',
                'usage.quotaReached',
                'chain.unavailable',
                'usage.outcomeUnknown',
                'server.busy',
              ]),
            },
          },
          { text: '[When a key is refused](#authentication-refusals) lists all errors about keys.' },
        ],
      },
      {
        id: 'overview-limits',
        title: 'Limits',
        blocks: [
          {
            text: 'The operator of the portal sets these limits. A call above a limit returns 429 with `Retry-After` in seconds. Above the limit of a key, the response carries `RateLimit` and `RateLimit-Policy`. If you set a limit for a key without a project, all its responses carry them.',
          },
          {
            table: {
              head: ['Limit', 'Default'],
              rows: [
                ['Calls with one key', '1,000 a second, or the lower limit you set for it'],
                ['Calls from one IP address', '2,000 a second'],
                ['Calls from one account, across all its keys', '1,000,000 a day (UTC)'],
              ],
            },
          },
          { text: 'Responses with 503 also carry `Retry-After`: wait, then send the call again.' },
        ],
      },
      {
        id: 'overview-formats',
        title: 'For tools and agents',
        blocks: [
          {
            list: [
              '[openapi.json](/api/openapi.json) describes every endpoint with its schemas (OpenAPI 3).',
              '[docs.md](/docs.md) is this documentation as Markdown.',
              '[llms.txt](/llms.txt) lists both for language models.',
            ],
          },
        ],
      },
    ],
    authentication: [
      {
        id: 'authentication-header',
        title: 'Send the key in a header',
        blocks: [
          { text: 'An API key is sent in a request header, `X-API-Key`, with every call:' },
          {
            code: `GET ${keyPath.path} HTTP/1.1\nHost: ${new URL(baseUrl).host}\nX-API-Key: ${keyPlaceholder}`,
            label: 'request',
            language: 'HTTP',
          },
          {
            text: 'A key is `oid_` followed by 33 letters and digits. The last six are a checksum, so a mistyped key is recognised at once; the prefix lets secret scanners find a leaked one.',
          },
        ],
      },
      {
        id: 'authentication-keys',
        title: 'Two kinds of keys',
        blocks: [
          {
            table: {
              head: ['', 'Project key', 'Key without a project'],
              rows: [
                ['Where', '[My Projects](/projects)', '[API Keys](/keys)'],
                ['For', 'a web page or an app with its own URL', 'scripts and servers'],
                [
                  'Who can read it',
                  'everyone who opens the page; it reveals nothing about its owner',
                  'only you; keep it secret',
                ],
                ['Works from', 'the project’s allowed URLs, and programs that send no `Origin`', 'anywhere'],
              ],
            },
          },
        ],
      },
      {
        id: 'authentication-origins',
        title: 'Allowed URLs',
        blocks: [
          {
            text: 'A browser names the site that sends a call in the header `Origin`. A call with a project’s key from a site that isn’t among the project’s allowed URLs returns 403, and [Usage](/usage) shows its origin. Scheme and host name must match; ports are ignored. Pages on `localhost` are always allowed, so that you can develop.',
          },
          {
            text: 'A wildcard stands for one label: `https://*.preview.example.com` allows `https://pr-1.preview.example.com`, not `https://a.pr-1.preview.example.com`. It can’t be directly below a domain where anyone can register names, such as `com` or `github.io`.',
          },
          {
            text: 'Browser extensions have an origin but no URL: add `chrome-extension://` and the extension’s ID under Other origins of the project. Sandboxed frames and local files send the origin `null`, which you can add too; then any of them that knows the key can call. Other schemes can’t be added; apps at `app://localhost` and the like count as `localhost`. In Firefox, each installation of an extension has its own ID.',
          },
          {
            text: 'Wildcards, extensions and `null` allow API calls only. [Sign-in](#authentication-sign-in) needs the exact URL of the site.',
          },
          { text: 'Change the allowed URLs in [My Projects](/projects). A change applies within a second.' },
        ],
      },
      {
        id: 'authentication-refusals',
        title: 'When a key is refused',
        blocks: [
          {
            table: {
              head: ['Status', 'Code', 'Message'],
              rows: errorRows([
                'key.missing',
                'key.invalid',
                'key.replaced',
                'key.deleted',
                'key.expired',
                'key.originRefused',
              ]),
            },
          },
        ],
      },
      {
        id: 'authentication-tips',
        title: 'Security tips',
        blocks: [
          {
            list: [
              '**Never expose keys client-side.** Keep keys without a project on your server. Only a project’s key belongs in a web page: it’s bound to the allowed URLs.',
              '**Use environment variables.** Don’t commit keys; read them from the environment or a secret store.',
              '**Rotate keys.** Do it when someone with access leaves: the old key can keep working for up to 30 days while you switch. If a key may have leaked, end it at once; it stops working within a second.',
              '**Monitor usage.** [Usage](/usage) shows every call as it arrives, with blocked origins and refused keys.',
            ],
          },
        ],
      },
      ...signInSections(baseUrl, identityUrl),
    ],
  };
}
