import { activeSessionList, type ActiveSession } from '@orange-id/contract/identity.schema';
import { useQuery } from '@tanstack/react-query';
import { useAuth } from '../session/auth.context';
import { useConfig } from '../config/config.context';
import { http } from '../http';
import { emptyWhereUnknown } from './list.elsewhere';
import { queryKeys } from '../cache/query.keys';

/** `GET /api/v1/auth/sessions` of the identity service: the account's sessions, most recently used first. */
export function useActiveSessions() {
  const { identity } = useConfig();
  const { isAuthenticated } = useAuth();
  return useQuery<ActiveSession[]>({
    queryKey: queryKeys.activeSessions,
    queryFn: ({ signal }) =>
      http({
        path: `${identity.baseUrl}/api/v1/auth/sessions`,
        credentials: 'same-origin',
        schema: activeSessionList,
        signal,
      }).catch(emptyWhereUnknown),
    enabled: isAuthenticated,
    // Sessions in other browsers start and end without notice to this page.
    refetchOnMount: 'always',
  });
}
