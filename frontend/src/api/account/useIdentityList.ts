import { useQuery, type QueryKey } from '@tanstack/react-query';
import type { ZodType } from 'zod';
import { useAuth } from '../session/auth.context';
import { useConfig } from '../config/config.context';
import { http, HttpError } from '../http';

/** A list of the account at the identity service. */
interface IdentityList<T> {
  queryKey: QueryKey;
  /** Below the service's base URL. */
  path: string;
  schema: ZodType<T[]>;
}

/**
 * The items of the list. A hosted identity service may not offer it: a 404 counts as an empty list. Otherwise throws
 * what `http` throws.
 */
export const getIdentityList = <T>(
  baseUrl: string,
  { path, schema }: IdentityList<T>,
  signal: AbortSignal,
): Promise<T[]> =>
  http({ path: `${baseUrl}${path}`, credentials: 'same-origin', schema, signal }).catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 404) return [];
    throw error;
  });

/** The items of the list while the user is signed in, refetched when a view opens. */
export function useIdentityList<T>(list: IdentityList<T>) {
  const { identity } = useConfig();
  const { isAuthenticated } = useAuth();
  return useQuery({
    queryKey: list.queryKey,
    queryFn: ({ signal }) => getIdentityList(identity.baseUrl, list, signal),
    enabled: isAuthenticated,
    // Other tabs, other browsers and a provider's page change the list without notice to this page.
    refetchOnMount: 'always',
  });
}
