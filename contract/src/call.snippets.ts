import type { MeteredPath } from './metered.paths.js';

/** What a caller fills in. `parameters` are those of the path and of the query, as text. */
export interface Call {
  baseUrl: string;
  parameters?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  /** The body as JSON, where writing `body` again would change it: large numbers, `1.0`. */
  bodyText?: string | undefined;
}

/** Replaces the key in code to copy, because code is pasted into chats, tickets and repositories that others read. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** The ID of the game in examples. */
export const exampleGame = 'coin-rush';

/** A `curl` command for a POSIX shell. The URL comes last, because it may be long and wraps separately. */
export function curlFor(route: MeteredPath, call: Call & { apiKey: string }): string {
  const method = route.method === 'GET' ? '' : ` -X ${route.method}`;
  const body =
    call.body === undefined
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' \\\n  -d ${quote(call.bodyText ?? JSON.stringify(call.body))}`;
  const headers = [['X-API-Key', call.apiKey], ...headersFor(route, call)]
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
    .join(' \\\n  ');
  return `curl${method} ${headers}${body} \\\n  ${quote(urlFor(route, call))}`;
}

/** The parameters of a call that are headers, by name. */
export const headersFor = (route: MeteredPath, { parameters = {} }: Call): [string, string][] =>
  route.parameters
    .filter(({ in: place, name }) => place === 'header' && (parameters[name] ?? '') !== '')
    .map(({ name }) => [name, parameters[name] as string]);

/**
 * The URL of a call with its path and query parameters. A path parameter without a value stays a placeholder, and so do
 * `.` and `..`, which no URL can hold as a segment.
 */
export function urlFor(route: MeteredPath, { baseUrl, parameters = {} }: Call): string {
  const given = route.parameters.filter(({ name }) => (parameters[name] ?? '') !== '');
  const path = given
    .filter((parameter) => parameter.in === 'path' && !/^\.{1,2}$/.test(parameters[parameter.name] as string))
    .reduce<string>(
      (filled, { name }) => filled.replace(`{${name}}`, () => encodeURIComponent(parameters[name] as string)),
      route.path,
    );
  const url = new URL(path, baseUrl);
  for (const { name } of given.filter((parameter) => parameter.in === 'query')) {
    url.searchParams.set(name, parameters[name] as string);
  }
  return url.href;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
