import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../cache/query.keys';
import { useAuth } from '../session/auth.context';
import { getForumMe } from './forum.calls';

/** What the signed-in user may do in the community; requests nothing for a visitor. */
export function useForumMe() {
  const { isAuthenticated, user } = useAuth();
  return useQuery({
    // A display name that was added since changes the answer.
    queryKey: [...queryKeys.forum, 'me', user?.id, user?.displayName],
    queryFn: ({ signal }) => getForumMe(signal),
    enabled: isAuthenticated,
  });
}
