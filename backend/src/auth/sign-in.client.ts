import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The client of a sign-in, as far as it is known: the browser, and the origin of the requesting page. */
export interface SignInClient {
  userAgent: string | undefined;
  origin: string | undefined;
}

/** The user agent and origin of a request. Browsers send `Origin` with every `POST` (Fetch standard). */
export const CurrentClient = createParamDecorator((_: unknown, context: ExecutionContext): SignInClient => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { userAgent: headers['user-agent'], origin: headers.origin };
});
