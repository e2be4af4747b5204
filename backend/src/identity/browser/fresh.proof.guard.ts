import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BrowserSessions } from './browser.session.js';
import type { Authenticated } from '../../auth/access-token.verifier.js';

/**
 * After `BearerGuard`: admits a request if the user of its browser confirmed their identity within the last 5 minutes.
 * The confirmation is stored with the browser's cookie, never with the bearer token, so that a stolen access token
 * alone cannot change a sign-in method. Throws 403 `auth.proofRequired` otherwise.
 */
@Injectable()
export class FreshProofGuard implements CanActivate {
  constructor(private readonly browserSessions: BrowserSessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & { authenticated: Authenticated }>();
    await this.browserSessions.requireProof(request, request.authenticated.user.id);
    return true;
  }
}
