import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { DataSource } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { PortalError } from '../../http/portal.error.js';
import { SessionsService } from './sessions.service.js';
import { isActiveSession } from '../../auth/active.session.sql.js';
import {
  AccessTokenVerifier,
  type Authenticated,
  type OpenSession,
} from '../../auth/access-token.verifier.js';
import { servedParties } from '../tokens/party.rule.js';
import { signingAlgorithm, SigningKeysService } from '../tokens/signing-keys.service.js';

/**
 * Verifies access tokens: one fixed algorithm, only keys created here (ignores `jku`, `jwk` and `x5u` in the header),
 * issuer, audience, expiry, whether their portal is served, and then whether the session is active, so that signing out
 * takes effect at once.
 */
@Injectable()
export class EmbeddedVerifier extends AccessTokenVerifier {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly keys: SigningKeysService,
    private readonly sessions: SessionsService,
    private readonly dataSource: DataSource,
  ) {
    super(environment.PUBLIC_URL);
  }

  async verifyOfAnyPortal(token: string, nowMs = Date.now()): Promise<Authenticated> {
    const claims = await this.claimsOf(token, nowMs);
    const { sub, sid, exp } = claims;
    if (!isId(sub) || !isId(sid) || exp === undefined) throw new PortalError('auth.tokenInvalid');
    const party = this.partyOf(claims);
    const user = await this.sessions.findUser(sid, sub);
    if (!user) throw new PortalError('auth.tokenInvalid');
    return { user, sessionId: sid, party, expiresAtMs: exp * 1000 };
  }

  async endedAmong(sessions: readonly OpenSession[]): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `select s.id from unnest($1::uuid[]) as s (id)
        where not exists (select from refresh_tokens r where r.id = s.id and ${isActiveSession})`,
      [sessions.map(({ sessionId }) => sessionId)],
    );
    return rows.map(({ id }) => id);
  }

  /** A token without `azp` predates the claim, and is treated like sessions from that time. */
  private partyOf({ azp = null }: JWTPayload): string {
    const served = servedParties(this.environment).some((party) => party === azp);
    if (!served) throw new PortalError('auth.tokenInvalid');
    return azp === null ? this.environment.PUBLIC_URL : (azp as string);
  }

  private async claimsOf(token: string, nowMs: number): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = typeof kid === 'string' ? await this.keys.find(kid) : null;
          if (!key) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: [signingAlgorithm],
          issuer: this.environment.PUBLIC_URL,
          audience: this.environment.TENANT_ID,
          requiredClaims: ['sub', 'sid', 'exp', 'iat'],
          currentDate: new Date(nowMs),
        },
      );
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new PortalError('auth.tokenInvalid', { cause: error });
      throw error;
    }
  }
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
