import { accountChangeList } from '@orange-id/contract/identity.schema';
import { queryKeys } from '../cache/query.keys';
import { useIdentityList } from './useIdentityList';

/** `GET /api/v1/auth/changes` of the identity service: changes to how the account signs in, newest first. */
export const useAccountChanges = () =>
  useIdentityList({
    queryKey: queryKeys.accountChanges,
    path: '/api/v1/auth/changes',
    schema: accountChangeList,
  });
