import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** What a sign-in is made with, as far as it is known: the browser, and the origin of the page it is made for. */
export interface SignInClient {
  userAgent: string | undefined;
  origin: string | undefined;
}

/** The browser and page that a request comes from. Browsers name the page with every `POST` (Fetch standard, `Origin`). */
export const CurrentClient = createParamDecorator((_: unknown, context: ExecutionContext): SignInClient => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { userAgent: headers['user-agent'], origin: headers.origin };
});
