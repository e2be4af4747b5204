import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { useQuery } from '@tanstack/react-query';
import { useAuth } from '../../api/auth.context';
import { useConfig } from '../../api/config.context';
import { userQuery } from '../../api/get.user';
import type { Known } from './started.steps';

export interface Profile {
  known: Known<IdentityUser>;
  /** Why there is no user; null where nothing failed. */
  error: Error | null;
  retry: () => void;
}

/** The signed-in user, and why there is none while the identity service does not answer. The session asks, this page only looks. */
export function useProfile(): Profile {
  const { user } = useAuth();
  const { error, isFetching, refetch } = useQuery({ ...userQuery(useConfig()), enabled: false });
  const hasFailed = user === null && error !== null && !isFetching;
  return {
    known: user ? { is: 'known', value: user } : { is: hasFailed ? 'unknown' : 'loading' },
    error: hasFailed ? error : null,
    retry: () => void refetch(),
  };
}
