import { signInMethodList, type SignInMethod } from '@orange-id/contract/identity.schema';
import { queryKeys } from '../cache/query.keys';
import { getIdentityList, useIdentityList } from './useIdentityList';

const list = {
  queryKey: queryKeys.signInMethods,
  path: '/api/v1/auth/identifiers',
  schema: signInMethodList,
};

/** `GET /api/v1/auth/identifiers` of the identity service: the account's sign-in methods, oldest first. */
export const getSignInMethods = (baseUrl: string, signal: AbortSignal): Promise<SignInMethod[]> =>
  getIdentityList(baseUrl, list, signal);

export const useSignInMethods = () => useIdentityList(list);
