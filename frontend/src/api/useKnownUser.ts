import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { useQuery } from '@tanstack/react-query';
import { useAuth } from './auth.context';
import { useConfig } from './config.context';
import { userQuery } from './get.user';

/** The signed-in user; with neither a user nor an error they are still being read. */
export interface KnownUser {
  user: IdentityUser | null;
  /** Why there is no user. */
  error: Error | null;
  retry: () => void;
}

/** The signed-in user, and why there is none while the identity service does not answer. The session asks, this only looks. */
export function useKnownUser(): KnownUser {
  const { user } = useAuth();
  const { error, isFetching, refetch } = useQuery({ ...userQuery(useConfig()), enabled: false });
  return {
    user,
    error: user === null && !isFetching ? error : null,
    retry: () => void refetch(),
  };
}
