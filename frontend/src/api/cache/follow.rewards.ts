import type { IdentityUser, SignInMethod } from '@orange-id/contract/identity.schema';
import type { Query, QueryClient } from '@tanstack/react-query';
import { queryKeys } from './query.keys';

const [userKey] = queryKeys.user;
const [methodsKey] = queryKeys.signInMethods;
const [projectsKey] = queryKeys.projects;
const [usageKey] = queryKeys.usage(null);

/** The part of a query's data that earns experience, as text; `null` if no part does. */
function earningOf({ queryKey: [path, filters], state: { data } }: Query): string | null {
  if (data === undefined || data === null) return path === usageKey && data === null ? 'no call' : null;
  if (path === userKey) {
    const { email, displayName, emailVerified } = data as IdentityUser;
    return JSON.stringify([Boolean(email), Boolean(displayName?.trim()), emailVerified]);
  }
  if (path === methodsKey)
    return [...new Set((data as SignInMethod[]).map(({ provider }) => provider))].sort().join();
  if (path === projectsKey) return String((data as unknown[]).length > 0);
  return path === usageKey && (filters as { newest?: true }).newest ? 'a call' : null;
}

/**
 * Refetches the rank before its five minutes are over when cached data changes in a way that earns experience: the
 * profile, the sign-in methods, the first project, the first call. Returns the unsubscribe function.
 */
export function followRewards(client: QueryClient): () => void {
  const known = new Map<string, string>();
  return client.getQueryCache().subscribe((event) => {
    const { query, type } = event;
    if (type === 'removed') known.delete(query.queryHash);
    if (type !== 'updated' || event.action.type !== 'success') return;
    const earning = earningOf(query);
    if (earning === null) return;
    const before = known.get(query.queryHash);
    known.set(query.queryHash, earning);
    if (before !== undefined && before !== earning)
      void client.invalidateQueries({ queryKey: queryKeys.reward, exact: true });
  });
}
