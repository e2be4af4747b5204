import { usageKeyList } from '@orange-id/contract/usage.schema';
import { useQuery } from '@tanstack/react-query';
import { http } from '../http';
import { queryKeys } from '../cache/query.keys';

/** `GET /api/usage/keys`: the user's keys that are live or were used, for filters and names. */
export function useUsageKeys() {
  return useQuery({
    queryKey: queryKeys.usageKeys,
    queryFn: ({ signal }) => http({ path: '/api/usage/keys', schema: usageKeyList, signal }),
    refetchOnMount: 'always',
  });
}
