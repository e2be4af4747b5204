import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { ProfileUpdate } from '@orange-id/contract/profile.schema';
import type { QueryClient } from '@tanstack/react-query';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/cache/query.keys';
import { updateProfile, withProfile } from '../../api/profile/update.profile';

/** Saves the missing profile fields and updates the cached user of all pages. Throws what `updateProfile` throws. */
export async function fillProfile(
  changes: ProfileUpdate,
  { identity, queryClient }: { identity: PublicConfig['identity']; queryClient: QueryClient },
): Promise<void> {
  try {
    const response = await updateProfile(identity, changes);
    queryClient.setQueryData<IdentityUser | null>(
      queryKeys.user,
      (user) => user && withProfile(user, changes, response),
    );
  } catch (error) {
    // Fetching the user again lets the session decide whether it has ended.
    if (error instanceof HttpError && (error.status === 401 || error.status === 403))
      void queryClient.invalidateQueries({ queryKey: queryKeys.user });
    throw error;
  }
}
