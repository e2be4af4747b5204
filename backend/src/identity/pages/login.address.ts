import { providerName } from '@orange-id/contract/identity.schema';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { isTabValue, tabParameter } from '@orange-id/contract/tab.marker';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callbackUrlOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { PortalError } from '../../http/portal.error.js';
import { givenNote } from '../../http/request.issues.js';
import { noticePage, sendPage } from '../../http/notice.page.js';

/**
 * Handles `/api/login`: redirects to where the sign-in begins. For an unknown provider, shows a browser an error page,
 * and otherwise throws `auth.providerUnknown`.
 */
export function answerLogin(
  environment: Environment,
  { provider: given, [tabParameter]: tab }: Record<string, unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const provider = providerName.safeParse(given);
  if (provider.success) return void reply.redirect(loginAddress(environment, provider.data, tab), 302);
  const refusal = new PortalError('auth.providerUnknown', {
    message: `provider must be google or apple${givenNote(given)}`,
  });
  if (!request.headers.accept?.includes('text/html')) throw refusal;
  const notice = noticePage({
    title: 'This sign-in link isn’t valid',
    paragraphs: ['It names neither Google nor Apple. Choose one on the sign-in page.'],
    link: { href: `${environment.PUBLIC_URL}/login`, text: 'Sign in' },
  });
  sendPage(reply, notice, { status: refusal.statusCode });
}

/** Where a sign-in with a provider begins, in the identity client's format: `state` is the plain callback address. */
function loginAddress(environment: Environment, provider: ProviderName, tab: unknown): string {
  const tenant = encodeURIComponent(environment.TENANT_ID);
  const key = encodeURIComponent(environment.SUBSCRIPTION_KEY);
  const mark = isTabValue(tab) ? `&${tabParameter}=${tab}` : '';
  return `${environment.IDENTITY_URL ?? ''}/api/v1/auth/${provider.toUpperCase()}?state=${callbackUrlOf(environment)}&tenantId=${tenant}&subscription-key=${key}${mark}`;
}
