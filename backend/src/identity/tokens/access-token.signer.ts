import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { SignJWT } from 'jose';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { signingAlgorithm, SigningKeysService } from './signing-keys.service.js';

/**
 * Creates access tokens: ES256, valid for one hour but not beyond their session, with the user (`sub`), the session
 * (`sid`), the provider, and the portal they were created for (`azp`, OpenID Connect Core §2: an origin).
 */
@Injectable()
export class AccessTokenSigner {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly keys: SigningKeysService,
  ) {}

  sign(claims: {
    userId: string;
    sessionId: string;
    provider: string;
    party: string;
    endsAt: Date;
  }): Promise<string> {
    const { kid, privateKey } = this.keys.signer;
    const issuedAt = Math.floor(Date.now() / 1000);
    return new SignJWT({ provider: claims.provider, sid: claims.sessionId, azp: claims.party })
      .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
      .setSubject(claims.userId)
      .setIssuer(this.environment.PUBLIC_URL)
      .setAudience(this.environment.TENANT_ID)
      .setIssuedAt(issuedAt)
      .setExpirationTime(
        Math.min(issuedAt + limits.accessTokenSeconds, Math.floor(claims.endsAt.getTime() / 1000)),
      )
      .sign(privateKey);
  }
}
