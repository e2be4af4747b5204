import { providers } from '@orange-id/contract/sign-in.methods';
import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { Provider } from 'oidc-provider';
import type { Environment } from '../config/environment.js';
import { escapeHtml } from '../http/escape.html.js';
import { inChosenTheme, plainPage } from '../http/notice.page.js';
import { redirectUriOf } from '../config/redirect.uri.js';
import type { BuiltInAccounts } from './built-in.accounts.js';
import { builtInClientId, builtInClientSecret, builtInPath } from './built-in.clients.js';
import { boundedAdapters } from './bounded.adapter.js';

const scopes = ['openid', 'email', 'name', 'profile'];
const names = ['name', 'given_name', 'family_name'];

/**
 * A complete OpenID provider that replaces Google and Apple: it issues codes and signed ID tokens for any account
 * entered on its page. Its keys, codes and accounts exist only in this process and are new with each start.
 */
export async function builtInProvider(
  environment: Environment,
  accounts: BuiltInAccounts,
): Promise<Provider> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const provider: Provider = new Provider(environment.PUBLIC_URL + builtInPath, {
    adapter: boundedAdapters(),
    clients: providers.map((each) => ({
      client_id: builtInClientId(each),
      client_secret: builtInClientSecret,
      redirect_uris: [redirectUriOf(environment, each)],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    scopes,
    responseTypes: ['code'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], name: names, profile: names },
    // Google and Apple put the user data into the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_, { uid }) => `${builtInPath}/account/${uid}` },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 300,
      Interaction: 1800,
      Session: 1800,
      Grant: 1800,
    },
    findAccount: (_, subject) => {
      const account = accounts.get(subject);
      if (!account) return undefined;
      const { email, isEmailVerified, name } = account;
      const [givenName, ...rest] = name?.split(' ') ?? [];
      return {
        accountId: subject,
        claims: () => ({
          sub: subject,
          email,
          email_verified: isEmailVerified,
          ...(name === null ? {} : { name, given_name: givenName }),
          ...(rest.length > 0 ? { family_name: rest.join(' ') } : {}),
        }),
      };
    },
    // Choosing an account counts as consent: the page says what happens.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(scopes.join(' '));
      await grant.save();
      return grant;
    },
    renderError: (ctx, { error, error_description: description = '' }) => {
      ctx.type = 'html';
      const page = plainPage(
        'The built-in provider rejected the request',
        `<p>${escapeHtml(`${error}: ${description}`)}</p><a class="button" href="/login">Back to sign-in</a>`,
      );
      ctx.body = inChosenTheme(page, ctx.req);
    },
  });
  // Trusts the forwarding headers: the plugin sets them from the configuration, and no client can.
  provider.proxy = true;
  return provider;
}
