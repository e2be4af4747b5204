import { accountChangeList, type AccountChange } from '@orange-id/contract/identity.schema';
import { useQuery } from '@tanstack/react-query';
import { useAuth } from '../session/auth.context';
import { useConfig } from '../config/config.context';
import { http } from '../http';
import { emptyWhereUnknown } from './list.elsewhere';
import { queryKeys } from '../cache/query.keys';

/** `GET /api/v1/auth/changes` of the identity service: changes to how the account signs in, newest first. */
export function useAccountChanges() {
  const { identity } = useConfig();
  const { isAuthenticated } = useAuth();
  return useQuery<AccountChange[]>({
    queryKey: queryKeys.accountChanges,
    queryFn: ({ signal }) =>
      http({
        path: `${identity.baseUrl}/api/v1/auth/changes`,
        credentials: 'same-origin',
        schema: accountChangeList,
        signal,
      }).catch(emptyWhereUnknown),
    enabled: isAuthenticated,
    // Another browser may have made changes.
    refetchOnMount: 'always',
  });
}
