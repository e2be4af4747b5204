import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { ProfileUpdate } from '@orange-id/contract/profile.schema';
import type { QueryClient } from '@tanstack/react-query';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/query.keys';
import { updateProfile, withProfile } from '../../api/update.profile';

/** Saves what the profile lacked, and has every page know it. Throws what `updateProfile` throws. */
export async function fillProfile(
  changes: ProfileUpdate,
  { identity, queryClient }: { identity: PublicConfig['identity']; queryClient: QueryClient },
): Promise<void> {
  try {
    const told = await updateProfile(identity, changes);
    queryClient.setQueryData<IdentityUser | null>(
      queryKeys.user,
      (user) => user && withProfile(user, changes, told),
    );
  } catch (error) {
    // Whether the session is over is for the session to find out.
    if (error instanceof HttpError && (error.status === 401 || error.status === 403))
      void queryClient.invalidateQueries({ queryKey: queryKeys.user });
    throw error;
  }
}
