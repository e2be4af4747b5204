import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The client of a sign-in, as far as it is known: the browser, and the origin of the requesting page. */
export interface SignInClient {
  userAgent: string | undefined;
  origin: string | undefined;
}

/** The browser and page of a request. Browsers name the page in every `POST` (Fetch standard, `Origin`). */
export const CurrentClient = createParamDecorator((_: unknown, context: ExecutionContext): SignInClient => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { userAgent: headers['user-agent'], origin: headers.origin };
});
