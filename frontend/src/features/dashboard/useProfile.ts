import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { useKnownUser } from '../../api/session/useKnownUser';
import type { Known } from './started.steps';

export interface Profile {
  known: Known<IdentityUser>;
  /** Why there is no user; `null` if nothing failed. */
  error: Error | null;
  retry: () => void;
}

/** The signed-in user for the profile card. */
export function useProfile(): Profile {
  const { user, error, retry } = useKnownUser();
  return {
    known: user ? { is: 'known', value: user } : { is: error ? 'unknown' : 'loading' },
    error,
    retry,
  };
}
