import { useConfig } from '../config/config.context';
import { useSignInMethods } from './get.sign-in.methods';
import { HttpError } from '../http';

/**
 * The URL of the other portal that manages this account's sign-in methods; `null` if this portal manages them,
 * `undefined` until that is known.
 */
export function useAccountElsewhere(): string | null | undefined {
  const { identity } = useConfig();
  const { error, isPending } = useSignInMethods();
  if (new URL(identity.baseUrl).origin === window.location.origin) return null;
  if (isPending) return undefined;
  return isOfOtherPortal(error) ? identity.baseUrl : null;
}

/**
 * Whether the identity service refused a call because the token was issued for another portal. The user stays signed
 * in.
 */
export const isOfOtherPortal = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.code === 'auth.tokenForeign';
