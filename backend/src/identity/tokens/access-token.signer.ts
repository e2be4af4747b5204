import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { SignJWT } from 'jose';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { signingAlgorithm, SigningKeysService } from './signing-keys.service.js';

/** Whom an access token is for. For an app: its project (`aud`), and what the person lets it see. */
export interface TokenAudience {
  /** A project's code. Left out for a portal. */
  audience?: string;
  /** Further claims, each consented to. */
  claims?: Record<string, string | boolean>;
}

/**
 * Creates access tokens: ES256, valid for one hour but not beyond their session, with the user (`sub`; for an app the
 * id of the connection), the session (`sid`), the provider, and the portal or app they were created for (`azp`, OpenID
 * Connect Core §2: an origin).
 */
@Injectable()
export class AccessTokenSigner {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly keys: SigningKeysService,
  ) {}

  sign(
    session: { subject: string; sessionId: string; provider: string; party: string; endsAt: Date },
    { audience = this.environment.TENANT_ID, claims = {} }: TokenAudience = {},
  ): Promise<string> {
    const { kid, privateKey } = this.keys.signer;
    const issuedAt = Math.floor(Date.now() / 1000);
    return new SignJWT({ ...claims, provider: session.provider, sid: session.sessionId, azp: session.party })
      .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
      .setSubject(session.subject)
      .setIssuer(this.environment.PUBLIC_URL)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(
        Math.min(issuedAt + limits.accessTokenSeconds, Math.floor(session.endsAt.getTime() / 1000)),
      )
      .sign(privateKey);
  }
}
