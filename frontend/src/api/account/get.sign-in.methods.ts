import { signInMethodList, type SignInMethod } from '@orange-id/contract/identity.schema';
import { useQuery } from '@tanstack/react-query';
import { useAuth } from '../session/auth.context';
import { useConfig } from '../config/config.context';
import { http } from '../http';
import { emptyWhereUnknown } from './list.elsewhere';
import { queryKeys } from '../cache/query.keys';

/** `GET /api/v1/auth/identifiers` of the identity service: the account's sign-in methods, oldest first. */
export const getSignInMethods = (baseUrl: string, signal: AbortSignal): Promise<SignInMethod[]> =>
  http({
    path: `${baseUrl}/api/v1/auth/identifiers`,
    credentials: 'same-origin',
    schema: signInMethodList,
    signal,
  }).catch(emptyWhereUnknown);

export function useSignInMethods() {
  const { identity } = useConfig();
  const { isAuthenticated } = useAuth();
  return useQuery<SignInMethod[]>({
    queryKey: queryKeys.signInMethods,
    queryFn: ({ signal }) => getSignInMethods(identity.baseUrl, signal),
    enabled: isAuthenticated,
    // Another tab, or the page of a provider, may have changed them.
    refetchOnMount: 'always',
  });
}
