import { useConfig } from './config.context';
import { useSignInMethods } from './get.sign-in.methods';
import { HttpError } from './http';

/**
 * The address of the portal that keeps the account, when only its own pages may change how the account is signed in to;
 * null when this one's may; undefined until that is known.
 */
export function useAccountElsewhere(): string | null | undefined {
  const { identity } = useConfig();
  const { error, isPending } = useSignInMethods();
  if (new URL(identity.baseUrl).origin === window.location.origin) return null;
  if (isPending) return undefined;
  return isOfOtherPortal(error) ? identity.baseUrl : null;
}

/** Whether a call was refused because this portal may not ask for it; who is signed in stays so. */
export const isOfOtherPortal = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.code === 'auth.tokenForeign';
