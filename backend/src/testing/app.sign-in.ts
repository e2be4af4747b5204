import { type SignedUp } from './sign.up.js';
import { signUpIn } from './social.browser.js';
import { TestBrowser, type Visited } from './test.browser.js';

/** A marker as an app's page makes it. */
export const tab = 'abcdefghijklmnopqrstuv';

/** Begins a sign-in for an app in this browser, and returns the id of its flow. */
export async function beginFor(browser: TestBrowser, query: Record<string, string>): Promise<string> {
  const page = await browser.visit(`/api/v1/auth/authorize?${new URLSearchParams(query)}`);
  const flow = page.url.searchParams.get('app');
  if (flow === null) throw new Error(`${page.url.pathname} is no sign-in page; ${page.status}: ${page.text}`);
  return flow;
}

/** Hands the tokens of a person to the flow of an app, as the sign-in page does. */
export const handTo = (
  browser: TestBrowser,
  flow: string,
  { token, refreshToken }: Pick<SignedUp, 'token' | 'refreshToken'>,
  isTemporary = true,
): Promise<Response> => browser.send(`/api/v1/auth/flows/${flow}`, { token, refreshToken, isTemporary });

/** Begins a sign-in for an app, registers a person for it, and opens the consent page. */
export async function askFor(
  browser: TestBrowser,
  query: Record<string, string>,
  given?: SignedUp,
): Promise<{ flow: string; person: SignedUp; page: Visited }> {
  const flow = await beginFor(browser, query);
  const person = given ?? (await signUpIn(browser));
  const answer = await handTo(browser, flow, person, given === undefined);
  const { next } = (await answer.json()) as { next: string };
  return { flow, person, page: await browser.visit(next) };
}
