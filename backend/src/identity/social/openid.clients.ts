import { Inject, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import type { AddressInfo, Server } from 'node:net';
import * as openid from 'openid-client';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { providerSourceOf } from '../../config/social.providers.js';
import { builtInClientId, builtInClientSecret, builtInPath } from '../../dev-openid/built-in.clients.js';
import { PortalError } from '../../http/portal.error.js';
import { makeAppleSecret } from './apple.secret.js';
import { redirectUriOf } from '../../config/redirect.uri.js';

/** Time-out of each request to a provider. */
const timeoutSeconds = 10;
/** Providers change their endpoints rarely, and announce it. */
const discoveredMs = 3_600_000;

/**
 * The verified data of a provider. `subject` is the account's permanent id there; an unverified email address is only
 * shown.
 */
export interface ProviderAccount {
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  /** When the user signed in at the provider; null if the provider does not report it. */
  signedInAt: Date | null;
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  picture: string | null;
}

interface ClientSettings {
  issuer: string;
  clientId: string;
  /** The library awaits the result, although its own type says `void`. */
  auth: (...request: Parameters<openid.ClientAuth>) => void | Promise<void>;
  fetch?: openid.CustomFetch;
}

/** This portal as a client of Google and Apple, by OpenID Connect: authorization code, state, nonce and PKCE. */
@Injectable()
export class OpenidClients {
  private readonly logger = new Logger('OpenID');
  private readonly discovered = new Map<
    ProviderName,
    { client: Promise<openid.Configuration>; untilMs: number }
  >();

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly host: HttpAdapterHost,
  ) {}

  /**
   * Where to send the browser, and the secrets to check its return with. With `isFresh` the provider must make the user
   * sign in again. Throws `auth.providerFailed`.
   */
  async begin(
    provider: ProviderName,
    state: string,
    { isFresh = false } = {},
  ): Promise<{ url: URL; nonce: string; verifier: string }> {
    const client = await this.clientOf(provider);
    const nonce = openid.randomNonce();
    const verifier = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(client, {
      redirect_uri: redirectUriOf(this.environment, provider),
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(provider === 'google'
        ? { scope: 'openid email profile', ...(this.isBuiltIn(provider) ? {} : { prompt: 'select_account' }) }
        : // Apple returns name and email address only in a form that the browser posts.
          { scope: 'openid email name', response_mode: 'form_post' }),
      // Means the same as `prompt=login`, which Google does not support (OpenID Connect Core 3.1.2.1).
      ...(isFresh ? { max_age: '0' } : {}),
    });
    return { url, nonce, verifier };
  }

  /**
   * Exchanges the code of a provider's response for verified user data. Checks the ID token: signature, issuer,
   * audience, expiry and nonce. Throws `auth.providerFailed`.
   */
  async finish(
    provider: ProviderName,
    answer: URLSearchParams,
    checks: { state: string; nonce: string; verifier: string },
  ): Promise<ProviderAccount> {
    const client = await this.clientOf(provider);
    const tokens = await openid
      .authorizationCodeGrant(client, new URL(`${redirectUriOf(this.environment, provider)}?${answer}`), {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
      })
      .catch((error: unknown) => this.fail(provider, error));
    const claims = tokens.claims();
    // OpenID Connect allows 255 characters; users with an empty `sub` would share one account.
    if (!claims || claims.sub === '' || claims.sub.length > 255) throw new PortalError('auth.providerFailed');
    return {
      subject: claims.sub,
      email: textOf(claims['email']),
      isEmailVerified:
        // Apple sends it as text.
        [true, 'true'].includes(claims['email_verified'] as boolean | string) &&
        (provider !== 'google' || this.isBuiltIn(provider) || isKeptByGoogle(claims)),
      signedInAt: typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : null,
      name: textOf(claims['name']),
      firstName: textOf(claims['given_name']),
      lastName: textOf(claims['family_name']),
      picture: textOf(claims['picture']),
    };
  }

  /** The origin of the provider's own pages. Throws `auth.providerFailed`. */
  async originOf(provider: ProviderName): Promise<string> {
    const { authorization_endpoint: address = '' } = (await this.clientOf(provider)).serverMetadata();
    return new URL(address).origin;
  }

  private async clientOf(provider: ProviderName): Promise<openid.Configuration> {
    const known = this.discovered.get(provider);
    if (known && known.untilMs > Date.now()) return known.client;
    const client = this.discover(provider);
    this.discovered.set(provider, { client, untilMs: Date.now() + discoveredMs });
    client.catch(() => {
      if (this.discovered.get(provider)?.client === client) this.discovered.delete(provider);
    });
    return client;
  }

  private async discover(provider: ProviderName): Promise<openid.Configuration> {
    const { issuer, clientId, auth, fetch } = this.settingsOf(provider);
    return openid
      .discovery(
        new URL(issuer),
        clientId,
        { id_token_signed_response_alg: 'RS256' },
        auth as openid.ClientAuth,
        {
          timeout: timeoutSeconds,
          execute: [
            // Otherwise the library does not verify the signature of a token that came directly from the provider.
            openid.enableNonRepudiationChecks,
            ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []),
          ],
          ...(fetch ? { [openid.customFetch]: fetch } : {}),
        },
      )
      .catch((error: unknown) => this.fail(provider, error));
  }

  private settingsOf(provider: ProviderName): ClientSettings {
    const { environment } = this;
    if (this.isBuiltIn(provider)) {
      return {
        issuer: environment.PUBLIC_URL + builtInPath,
        clientId: builtInClientId(provider),
        auth: openid.ClientSecretPost(builtInClientSecret),
        fetch: (url, options) => fetch(this.atHome(url), options as RequestInit),
      };
    }
    if (provider === 'google') {
      return {
        issuer: environment.GOOGLE_ISSUER,
        clientId: environment.GOOGLE_CLIENT_ID as string,
        auth: openid.ClientSecretPost(environment.GOOGLE_CLIENT_SECRET as string),
      };
    }
    return {
      issuer: environment.APPLE_ISSUER,
      clientId: environment.APPLE_CLIENT_ID as string,
      auth: async (_server, { client_id: clientId }, body) => {
        body.set('client_id', clientId);
        body.set(
          'client_secret',
          await makeAppleSecret({
            clientId,
            teamId: environment.APPLE_TEAM_ID as string,
            keyId: environment.APPLE_KEY_ID as string,
            privateKey: environment.APPLE_PRIVATE_KEY as string,
            audience: environment.APPLE_ISSUER,
          }),
        );
      },
    };
  }

  private isBuiltIn(provider: ProviderName): boolean {
    return providerSourceOf(this.environment, provider) === 'builtIn';
  }

  /** The built-in provider runs in this process, so requests to it go directly there, past any proxy. */
  private atHome(url: string): string {
    const { pathname, search } = new URL(url);
    const { port } = (this.host.httpAdapter.getHttpServer() as Server).address() as AddressInfo;
    return `http://localhost:${port}${pathname}${search}`;
  }

  /** Logs the provider's error for the operator; these messages contain neither codes nor tokens. */
  private fail(provider: ProviderName, error: unknown): never {
    if (!isProviderError(error)) throw error;
    const { code, cause } = error as { code?: string; cause?: { error?: unknown; code?: unknown } };
    const detail = textOf(cause?.error) ?? textOf(cause?.code) ?? '';
    this.logger.warn(`${provider}: ${error.message} ${code ?? ''} ${detail}`.trim());
    throw new PortalError('auth.providerFailed', { cause: error });
  }
}

/** Errors of openid-client for a provider that is unreachable, refuses or sends an invalid response. */
const isProviderError = (error: unknown): error is Error =>
  // fetch reports a failed connection as a TypeError.
  error instanceof TypeError ||
  error instanceof openid.ClientError ||
  error instanceof openid.ResponseBodyError ||
  error instanceof openid.AuthorizationResponseError ||
  error instanceof openid.WWWAuthenticateChallengeError;

/**
 * Whether Google vouches for the mailbox at present: for its own addresses, and for those of a Google Workspace domain.
 * It verified any other address only once, when the account was created, and the mailbox may have another owner since.
 */
function isKeptByGoogle({ email, hd }: Record<string, unknown>): boolean {
  const domain = textOf(email)?.toLowerCase().split('@').at(-1);
  return domain !== undefined && ['gmail.com', 'googlemail.com', textOf(hd)?.toLowerCase()].includes(domain);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
