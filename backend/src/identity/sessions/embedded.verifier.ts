import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify } from 'jose';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { PortalError } from '../../http/portal.error.js';
import { SessionsService } from './sessions.service.js';
import { isActiveSession } from '../../auth/active.session.sql.js';
import {
  AccessTokenVerifier,
  type Admit,
  type Authenticated,
  type OpenSession,
  tokenForeign,
} from '../../auth/access-token.verifier.js';
import { TenantsRepository } from '../tenants/tenants.repository.js';
import { Tenants } from '../tenants/tenants.service.js';
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
    private readonly tenants: Tenants,
    private readonly tenantRows: TenantsRepository,
  ) {
    super(environment.PUBLIC_URL);
  }

  async verifyOfAnyPortal(
    token: string,
    nowMs = Date.now(),
    _clientAddress?: string,
    admit?: Admit,
  ): Promise<Authenticated> {
    const claims = await this.claimsOf(token, nowMs);
    await admit?.(claims.sub);
    if (!this.isForPortal(claims)) throw tokenForeign(String(claims.azp), this.environment.PUBLIC_URL);
    return this.ofPortal(claims);
  }

  override async verifyOfAnyTenant(
    token: string,
    nowMs = Date.now(),
    _clientAddress?: string,
    admit?: Admit,
  ): Promise<Authenticated> {
    const claims = await this.claimsOf(token, nowMs);
    await admit?.(claims.sub);
    return this.isForPortal(claims) ? this.ofPortal(claims) : this.ofApp(claims);
  }

  private isForPortal({ aud }: TokenClaims): boolean {
    return aud === this.environment.TENANT_ID;
  }

  private async ofPortal(claims: TokenClaims): Promise<Authenticated> {
    const { sub, sid, exp } = claims;
    const party = this.partyOf(claims);
    const user = await this.sessions.findUser(sid, sub);
    if (!user) throw new PortalError('auth.tokenInvalid');
    return { user, sessionId: sid, party, expiresAtMs: exp * 1000 };
  }

  private async ofApp({
    sub: connectionId,
    sid,
    exp,
    aud,
    azp,
    provider,
  }: TokenClaims): Promise<Authenticated> {
    const connection = await this.tenantRows.connection(connectionId);
    const isServed =
      connection?.code === aud && azp !== undefined && this.tenants.isAllowed(azp, connection.urls);
    const user = isServed && (await this.sessions.findUser(sid, connection.userId, connectionId));
    if (!user) throw new PortalError('auth.tokenInvalid');
    await this.sessions.noteAppUse(connectionId, connection);
    const { userId: _, code, projectId, claims, consentedAt, connectedAt } = connection;
    const app = { connectionId, projectId, code, provider, claims, consentedAt, connectedAt };
    return { user, app, sessionId: sid, party: azp, expiresAtMs: exp * 1000 };
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
  private partyOf({ azp }: TokenClaims): string {
    const served = servedParties(this.environment).some((party) => party === (azp ?? null));
    if (!served) throw new PortalError('auth.tokenInvalid');
    return azp ?? this.environment.PUBLIC_URL;
  }

  private async claimsOf(token: string, nowMs: number): Promise<TokenClaims> {
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
          requiredClaims: ['sub', 'aud', 'sid', 'exp', 'iat'],
          currentDate: new Date(nowMs),
        },
      );
      const claims = tokenClaims.safeParse(payload).data;
      if (claims === undefined) throw new PortalError('auth.tokenInvalid');
      return claims;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new PortalError('auth.tokenInvalid', { cause: error });
      throw error;
    }
  }
}

const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const tokenClaims = z.object({
  sub: id,
  sid: id,
  aud: z.string(),
  azp: z.string().optional(),
  provider: z.string().default(''),
  exp: z.number(),
});
type TokenClaims = z.infer<typeof tokenClaims>;
