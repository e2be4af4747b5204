import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { AppConnection, Authenticated } from './access-token.verifier.js';
import type { User } from './user.entity.js';

const authenticatedOf = (context: ExecutionContext): Authenticated =>
  context.switchToHttp().getRequest<{ authenticated: Authenticated }>().authenticated;

/** The `User` of the bearer token. Only on routes with `BearerGuard`. */
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): User => authenticatedOf(context).user,
);

/** The app that the bearer token was created for; undefined for a portal's token. Only on `@AnyTenant()` routes. */
export const CurrentApp = createParamDecorator(
  (_: unknown, context: ExecutionContext): AppConnection | undefined => authenticatedOf(context).app,
);

/** The session id of the bearer token. Only on routes with `BearerGuard`. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => authenticatedOf(context).sessionId,
);

/** The origin of the portal that the bearer token was created for. Only on routes with `BearerGuard`. */
export const CurrentParty = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => authenticatedOf(context).party,
);
