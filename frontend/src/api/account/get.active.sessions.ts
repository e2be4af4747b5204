import { activeSessionList } from '@orange-id/contract/identity.schema';
import { queryKeys } from '../cache/query.keys';
import { useIdentityList } from './useIdentityList';

/** `GET /api/v1/auth/sessions` of the identity service: the account's sessions, most recently used first. */
export const useActiveSessions = () =>
  useIdentityList({
    queryKey: queryKeys.activeSessions,
    path: '/api/v1/auth/sessions',
    schema: activeSessionList,
  });
