import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { useQuery } from '@tanstack/react-query';
import { useAuth } from './auth.context';
import { useConfig } from '../config/config.context';
import { userQuery } from './get.user';

/** The signed-in user; without a user and an error, the user is still loading. */
export interface KnownUser {
  user: IdentityUser | null;
  /** Why there is no user. */
  error: Error | null;
  retry: () => void;
}

/**
 * The signed-in user, or the error if the identity service doesn't respond. The session requests the user; this hook
 * reads the result, and can request it again after an error.
 */
export function useKnownUser(): KnownUser {
  const { user } = useAuth();
  const { error, isFetching, refetch } = useQuery({ ...userQuery(useConfig()), enabled: false });
  return {
    user,
    error: user === null && !isFetching ? error : null,
    retry: () => void refetch(),
  };
}
