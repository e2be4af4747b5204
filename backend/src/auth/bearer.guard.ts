import { ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { AuthGuardAuthenticateOptions } from '@nestjs/passport';
import type { FastifyReply } from 'fastify';
import { AccessTokenVerifier, type Admit } from './access-token.verifier.js';
import { ANY_PORTAL, ANY_TENANT } from './any.portal.js';
import { RequestsPerUser } from './requests.per.user.js';

/**
 * Admits a request with a valid access token of this portal only, on a route marked `@AnyPortal()` of any served portal,
 * and on one marked `@AnyTenant()` of any app too; `@CurrentUser()` then returns its user. Throws 401
 * otherwise, and 429 if too many requests of the user are running.
 */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(
    private readonly verifier: AccessTokenVerifier,
    private readonly reflector: Reflector,
    private readonly requests: RequestsPerUser,
  ) {
    super({ session: false, property: 'authenticated' });
  }

  override getAuthenticateOptions(context: ExecutionContext): AuthGuardAuthenticateOptions {
    const has = (metadata: symbol) => this.reflector.get<true | undefined>(metadata, context.getHandler());
    const verify = has(ANY_TENANT) ? 'verifyOfAnyTenant' : has(ANY_PORTAL) ? 'verifyOfAnyPortal' : 'verify';
    const { raw } = context.switchToHttp().getResponse<FastifyReply>();
    const admit: Admit = (userId) => this.requests.enter(userId, raw);
    return { session: false, property: 'authenticated', verifier: this.verifier, verify, admit };
  }
}
