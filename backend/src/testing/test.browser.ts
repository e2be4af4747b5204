import { isLoopbackHost } from '@orange-id/contract/whitelist.rule';

/** Where a browser ended up: the last response of a chain of redirects. */
export interface Visited {
  status: number;
  /** Complete, with its query. */
  url: URL;
  headers: Headers;
  text: string;
  /** Every address on the way, including the first. */
  way: string[];
}

export interface VisitOptions {
  /** Sent as a form by POST. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** How many redirects to follow; all by default. */
  redirects?: number;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** Follows links, redirects and forms like a browser, with its own cookies, up to a callback or another computer. */
export class TestBrowser {
  /** Every response so far: `GET /path 302`. */
  readonly answers: string[] = [];
  private cookies: Cookie[] = [];

  constructor(private readonly origin: string) {}

  async visit(address: string, { form, headers, redirects = 20 }: VisitOptions = {}): Promise<Visited> {
    const url = new URL(address, this.origin);
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        cookie: this.cookieHeader(url.pathname),
        ...headers,
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    this.answers.push(`${form ? 'POST' : 'GET'} ${url.pathname} ${answer.status}`);
    for (const line of answer.headers.getSetCookie()) this.store(line);
    const text = await answer.text();
    const location = answer.headers.get('location');
    if (location !== null && redirects > 0 && url.pathname !== '/auth/callback') {
      const to = new URL(location, url);
      if (!isLoopbackHost(to.hostname)) {
        return { status: answer.status, url: to, headers: answer.headers, text, way: [url.href, to.href] };
      }
      const next = await this.visit(new URL(location, url).href, {
        redirects: redirects - 1,
        ...(headers ? { headers } : {}),
      });
      return { ...next, way: [url.href, ...next.way] };
    }
    return { status: answer.status, url, headers: answer.headers, text, way: [url.href] };
  }

  /** Sends JSON from a page of the portal, with the cookies. */
  async send(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    method: 'POST' | 'PUT' = 'POST',
  ): Promise<Response> {
    const answer = await fetch(this.origin + path, {
      method,
      headers: { 'content-type': 'application/json', cookie: this.cookieHeader(path), ...headers },
      body: JSON.stringify(body),
    });
    for (const line of answer.headers.getSetCookie()) this.store(line);
    return answer;
  }

  /** Submits the form of a page with the button `button`, with its hidden fields and `fields`. */
  submit(
    page: Visited,
    button: string,
    fields: Record<string, string> = {},
    options: VisitOptions = {},
  ): Promise<Visited> {
    const { action, hidden } = formOf(page, button);
    return this.visit(new URL(action, page.url).href, { ...options, form: { ...hidden, ...fields } });
  }

  cookie(name: string): string | undefined {
    return this.cookies.find((cookie) => cookie.name === name)?.value;
  }

  setCookie(name: string, value: string): void {
    this.store(`${name}=${value}; Path=/`);
  }

  private store(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
    const expires = attributes.find((each) => /^expires=/i.test(each))?.slice(8);
    this.cookies = this.cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
    if (value !== '' && !(expires && Date.parse(expires) <= Date.now())) {
      this.cookies.push({ name, value, path });
    }
  }

  private cookieHeader(pathname: string): string {
    return this.cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}

/** The form of a page with this button: its action and hidden fields. Throws if there is none. */
export function formOf(
  { text, url }: Pick<Visited, 'text' | 'url'>,
  button?: string,
): { action: string; hidden: Record<string, string> } {
  for (const [, attributes = '', inner = ''] of text.matchAll(/<form([^>]*)>([^]*?)<\/form>/g)) {
    if (button !== undefined && !inner.includes(`>${button}</button>`)) continue;
    const inputs = inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    return {
      action: decoded(/action="([^"]*)"/.exec(attributes)?.[1] ?? url.href),
      hidden: Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, decoded(value)])),
    };
  }
  throw new Error(`${url.pathname} has no form with the button ${button ?? ''}: ${text.slice(0, 2000)}`);
}

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
