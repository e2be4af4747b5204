import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BrowserSessions } from '../social/browser.session.js';
import type { Authenticated } from '../tokens/access-token.verifier.js';

/**
 * After `BearerGuard`: lets a request through when the browser it comes from proved within the last 5 minutes who has
 * the account. The proof is kept with the browser's cookie, never with the bearer, so that whoever has only a stolen
 * access token changes no way into the account. Answers 403 `auth.proofRequired` otherwise.
 */
@Injectable()
export class FreshProofGuard implements CanActivate {
  constructor(private readonly sessions: BrowserSessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & { authenticated: Authenticated }>();
    await this.sessions.requireProof(request, request.authenticated.user.id);
    return true;
  }
}
