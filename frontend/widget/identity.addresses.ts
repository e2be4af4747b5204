import { authorizePath } from '@orange-id/contract/sign-in.popup';
import { tabParameter } from '@orange-id/contract/tab.marker';
import type { LoginTokens, SocialProvider } from './login.types';

/** The settings of the passport provider: where the identity service is, and which tenant requests the sign-in. */
export interface PassportSettings {
  baseUrl: string;
  authCallbackUrl: string;
  tenantId?: string;
  subscriptionKey?: string;
}

/** The line under the panel: its text, and the page it links to. */
export interface WidgetInfo {
  text: string;
  url: string;
}

/** The key the identity service accepts from pages that send none of their own. */
export const demoSubscriptionKey = 'DEMO_BEDROCK_PASSPORT_KEY';

/**
 * Where the browser goes to sign in with a provider. The service expects `state` to be the bare, unencoded callback
 * URL. `tab` is the value that the callback will carry.
 */
export const providerAddress = (settings: PassportSettings, provider: SocialProvider, tab: string): string =>
  `${settings.baseUrl}/api/v1/auth/${provider}?state=${settings.authCallbackUrl}${asker(settings)}&${tabParameter}=${tab}`;

/** Where the browser goes to sign in with a provider for another site, whose sign-in is `flowId`. */
export const appProviderAddress = (
  { baseUrl }: PassportSettings,
  provider: SocialProvider,
  flowId: string,
): string => `${baseUrl}/api/v1/auth/${provider}?app=${encodeURIComponent(flowId)}`;

/**
 * Whether the service's own page asks for passwords and signatures: if this page has another origin. A `baseUrl` that is
 * a path is this origin's. `footer` is the URL of the panel's footer link: that of an app leads to the same page, and
 * any other shows that this page is a portal's, which the service trusts with passwords.
 */
export function isAskedElsewhere(
  { baseUrl }: PassportSettings,
  page: Pick<Location, 'origin'>,
  footer: string | undefined,
): boolean {
  const isOther = URL.canParse(baseUrl) && new URL(baseUrl).origin !== page.origin;
  return isOther && (footer === undefined || new URL(footer).pathname === authorizePath);
}

/**
 * Where the browser goes to add a provider to the account of `accessToken`. The service asks the user before it links
 * anything, and only in a browser whose session belongs to the same account.
 */
export const linkAddress = (
  settings: PassportSettings,
  provider: SocialProvider,
  accessToken: string,
  tab: string,
): string =>
  `${settings.baseUrl}/api/v1/auth/identifier/${provider}?state=${settings.authCallbackUrl}` +
  `&token=${encodeURIComponent(accessToken)}${asker(settings)}&${tabParameter}=${tab}`;

/** The tenant and the subscription key, as the end of a query. */
function asker({ tenantId, subscriptionKey = demoSubscriptionKey }: PassportSettings): string {
  const tenant = tenantId ? `&tenantId=${encodeURIComponent(tenantId)}` : '';
  return `${tenant}&subscription-key=${encodeURIComponent(subscriptionKey)}`;
}

/** The application's callback with both tokens and `tab` in the query; an existing query is kept. */
export function callbackAddress(authCallbackUrl: string, tokens: LoginTokens, tab: string): string {
  const query = `token=${encodeURIComponent(tokens.accessToken)}&refreshToken=${encodeURIComponent(tokens.refreshToken)}&${tabParameter}=${tab}`;
  return `${authCallbackUrl}${authCallbackUrl.includes('?') ? '&' : '?'}${query}`;
}

/** `text` if it is an http or https URL, else `null`, so that a link from the service can never run a script. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
