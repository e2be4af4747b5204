import { activeSessionList, type ActiveSession } from '@orange-id/contract/identity.schema';
import { useQuery } from '@tanstack/react-query';
import { useAuth } from './auth.context';
import { useConfig } from './config.context';
import { http } from './http';
import { emptyWhereUnknown } from './list.elsewhere';
import { queryKeys } from './query.keys';

/** `GET /api/v1/auth/sessions` of the identity service: where this account is signed in, the newest use first. */
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
    // Sign-ins begin and end elsewhere without a word to this page.
    refetchOnMount: 'always',
  });
}
