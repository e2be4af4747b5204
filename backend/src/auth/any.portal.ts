import { SetMetadata } from '@nestjs/common';

/** Metadata of routes where `BearerGuard` accepts tokens of every served portal. */
export const ANY_PORTAL = Symbol('anyPortal');

/**
 * Accepts tokens that were created for another portal that signs in here (`IDENTITY_CALLBACKS`). Only for what the
 * pages of that portal need from the identity service: never for changes to a sign-in method, and never outside
 * `identity` and `profile`.
 */
export const AnyPortal = (): MethodDecorator => SetMetadata(ANY_PORTAL, true);
