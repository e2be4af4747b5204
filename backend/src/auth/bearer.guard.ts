import { ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { AuthGuardAuthenticateOptions } from '@nestjs/passport';
import { AccessTokenVerifier } from './access-token.verifier.js';
import { ANY_PORTAL } from './any.portal.js';

/**
 * Admits a request with a valid access token of this portal only, or, on a route marked `@AnyPortal()`, of any served
 * portal; `@CurrentUser()` then returns its user. Throws 401 otherwise.
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
    const isAnyPortal = this.reflector.get<boolean | undefined>(ANY_PORTAL, context.getHandler()) === true;
    return { session: false, property: 'authenticated', verifier: this.verifier, isAnyPortal };
  }
}
