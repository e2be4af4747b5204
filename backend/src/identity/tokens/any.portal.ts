import { SetMetadata } from '@nestjs/common';

/** Metadata of routes that `BearerGuard` opens to tokens of every portal that is served. */
export const ANY_PORTAL = Symbol('anyPortal');

/**
 * Lets tokens in that were made for another portal that signs in here (`IDENTITY_CALLBACKS`). For what its pages need of
 * the identity service and nothing else: never for what changes a way to sign in, and never outside `identity` and `profile`.
 */
export const AnyPortal = (): MethodDecorator => SetMetadata(ANY_PORTAL, true);
