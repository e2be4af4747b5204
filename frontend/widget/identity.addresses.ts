import { tabParameter } from '@orange-id/contract/tab.marker';
import type { LoginTokens, SocialProvider } from './login.types';

/** What the passport loader's provider is given: where the identity service is, and who asks. */
export interface PassportSettings {
  baseUrl: string;
  authCallbackUrl: string;
  tenantId?: string;
  subscriptionKey?: string;
}

/** The line under the panel: its words, and the page it leads to. */
export interface WidgetInfo {
  text: string;
  url: string;
}

/** The key the identity service accepts from a page that brings none. */
export const demoSubscriptionKey = 'DEMO_BEDROCK_PASSPORT_KEY';

/**
 * Where the browser goes to sign in with a provider. The wire wants `state` as the bare callback URL, not encoded. `tab`
 * is the value that the callback is to carry.
 */
export const providerAddress = (settings: PassportSettings, provider: SocialProvider, tab: string): string =>
  `${settings.baseUrl}/api/v1/auth/${provider}?state=${settings.authCallbackUrl}${asker(settings)}&${tabParameter}=${tab}`;

/**
 * Where the browser goes to add a provider to the account of `accessToken`. The service asks the person before
 * anything is linked, and only in a browser whose session is of the same account.
 */
export const linkAddress = (
  settings: PassportSettings,
  provider: SocialProvider,
  accessToken: string,
  tab: string,
): string =>
  `${settings.baseUrl}/api/v1/auth/identifier/${provider}?state=${settings.authCallbackUrl}` +
  `&token=${encodeURIComponent(accessToken)}${asker(settings)}&${tabParameter}=${tab}`;

/** Who asks, as the end of a query. */
function asker({ tenantId, subscriptionKey = demoSubscriptionKey }: PassportSettings): string {
  const tenant = tenantId ? `&tenantId=${encodeURIComponent(tenantId)}` : '';
  return `${tenant}&subscription-key=${encodeURIComponent(subscriptionKey)}`;
}

/** The application's callback with both tokens and `tab` in the query; a query the callback already has stays. */
export function callbackAddress(authCallbackUrl: string, tokens: LoginTokens, tab: string): string {
  const query = `token=${encodeURIComponent(tokens.accessToken)}&refreshToken=${encodeURIComponent(tokens.refreshToken)}&${tabParameter}=${tab}`;
  return `${authCallbackUrl}${authCallbackUrl.includes('?') ? '&' : '?'}${query}`;
}

/** `text` when it is an http or https address, else `null`: what a service names is never followed into a script. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
