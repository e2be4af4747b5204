import { ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { AuthGuardAuthenticateOptions } from '@nestjs/passport';
import { AccessTokenVerifier } from './access-token.verifier.js';
import { ANY_PORTAL, ANY_TENANT } from './any.portal.js';

/**
 * Admits a request with a valid access token of this portal only, on a route marked `@AnyPortal()` of any served portal,
 * and on one marked `@AnyTenant()` of any app too; `@CurrentUser()` then returns its user. Throws 401 otherwise.
 */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(
    private readonly verifier: AccessTokenVerifier,
    private readonly reflector: Reflector,
  ) {
    super({ session: false, property: 'authenticated' });
  }

  override getAuthenticateOptions(context: ExecutionContext): AuthGuardAuthenticateOptions {
    const has = (metadata: symbol) => this.reflector.get<true | undefined>(metadata, context.getHandler());
    const verify = has(ANY_TENANT) ? 'verifyOfAnyTenant' : has(ANY_PORTAL) ? 'verifyOfAnyPortal' : 'verify';
    return { session: false, property: 'authenticated', verifier: this.verifier, verify };
  }
}
