import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Authenticated } from '../auth/access-token.verifier.js';
import { bearerToken } from '../auth/bearer.strategy.js';
import type { Caller } from './projects.port.js';

/** The user and the session of the bearer token, with the token itself. Only on routes with `BearerGuard`. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { authenticated: Authenticated }>();
  const { user, sessionId } = request.authenticated;
  return { user, sessionId, token: bearerToken(request.headers.authorization) };
});
