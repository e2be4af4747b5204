import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import { PortalError } from '../http/portal.error.js';
import type { AccessTokenVerifier, Admit, Authenticated } from './access-token.verifier.js';

type VerifierMethod = 'verify' | 'verifyOfAnyPortal' | 'verifyOfAnyTenant';

/**
 * Passport's strategy for `Authorization: Bearer <access token>` (RFC 6750). Passport keeps strategies per process, so
 * the verifier is passed with each request: two applications in one process never check each other's tokens.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor() {
    super({ passOptionsToCallback: true });
  }

  validate(
    request: FastifyRequest,
    { verifier, verify, admit }: { verifier: AccessTokenVerifier; verify: VerifierMethod; admit: Admit },
  ): Promise<Authenticated> {
    return verifier[verify](bearerToken(request.headers.authorization), Date.now(), request.ip, admit);
  }
}

/** The token of an `Authorization` header. Throws `auth.required` if there is none. */
export function bearerToken(header: string | undefined): string {
  const token = bearerTokenIn(header);
  if (token === undefined) throw new PortalError('auth.required');
  return token;
}

/** The token of an `Authorization` header; `undefined` if there is none. */
export const bearerTokenIn = (header: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1];
