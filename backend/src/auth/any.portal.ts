import { SetMetadata } from '@nestjs/common';

/** Metadata of routes where `BearerGuard` accepts tokens of every served portal. */
export const ANY_PORTAL = Symbol('anyPortal');

/**
 * Accepts tokens that were created for another portal that signs in here (`IDENTITY_CALLBACKS`). Only for what the
 * pages of that portal need from the identity service: never for changes to a sign-in method, and never outside
 * `identity` and `profile`.
 */
export const AnyPortal = (): MethodDecorator => SetMetadata(ANY_PORTAL, true);

/** Metadata of routes where `BearerGuard` also accepts tokens that were created for the app of a project. */
export const ANY_TENANT = Symbol('anyTenant');

/**
 * Accepts tokens of every served portal, and those of apps: the owner of an app's project has the tokens of all people
 * who sign in there. Only for what an app may read of a person, and to end its own session.
 */
export const AnyTenant = (): MethodDecorator => SetMetadata(ANY_TENANT, true);
