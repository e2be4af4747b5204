import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { SignedUp, signUp } from './sign.up.js';
import { TestBrowser, Visited } from './test.browser.js';

/** The data entered on the account page of the built-in provider; `verified` as its check box sends it. */
export interface Person {
  email: string;
  name?: string;
  verified?: 'yes';
}

/** From a page of the portal to the account page of the built-in provider and back, as far as the browser gets. */
export async function comeBack(
  browser: TestBrowser,
  page: Visited,
  provider: ProviderName,
  person: Person,
): Promise<Visited> {
  const next = await browser.submit(page, 'Continue', { ...person });
  // Apple's response is a form that its page submits with a script.
  return provider === 'apple' && next.url.pathname.startsWith('/dev/openid/')
    ? browser.submit(next, 'Continue')
    : next;
}

/** Signs in with the built-in provider, from the button of the portal to its callback. */
export async function signInAs(
  browser: TestBrowser,
  provider: ProviderName,
  person: Person,
): Promise<Visited> {
  return comeBack(browser, await browser.visit(`/api/login?provider=${provider}`), provider, person);
}

/** The tokens in a callback address. Throws if it has none. */
export function tokensAt({ url, status, text }: Visited): { token: string; refreshToken: string } {
  const token = url.searchParams.get('token');
  const refreshToken = url.searchParams.get('refreshToken');
  if (url.pathname !== '/auth/callback' || token === null || refreshToken === null) {
    throw new Error(`${url.pathname} is no callback; ${status}: ${text.slice(0, 2000)}`);
  }
  return { token, refreshToken };
}

/** Registers an account in this browser, as the login widget does, with the password of `signUp`. */
export const signUpIn = (browser: TestBrowser, email?: string): Promise<SignedUp> =>
  signUp(
    {
      call: async (_method, path, { body } = {}) => {
        const answer = await browser.send(path, body);
        const text = await answer.text();
        return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
      },
    },
    email,
  );

/** Binds this browser to the owner of these tokens, as the page for linking does; the tokens stay valid. */
export async function settle(
  browser: TestBrowser,
  { token, refreshToken }: Pick<SignedUp, 'token' | 'refreshToken'>,
): Promise<void> {
  const answer = await browser.send('/api/auth/bedrock', { token, refreshToken }, {}, 'PUT');
  if (answer.status !== 204) throw new Error(`settling answered ${answer.status}`);
}
