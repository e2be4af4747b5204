import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import type { FastifyRequest } from 'fastify';

/** The provider in the path of a route. */
export const Provider = createParamDecorator((_: unknown, context: ExecutionContext): ProviderName => {
  const { url = '' } = context.switchToHttp().getRequest<FastifyRequest>().routeOptions;
  return url.includes('/GOOGLE') ? 'google' : 'apple';
});
