import { otherOrigins } from '@orange-id/contract/projects.schema';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import { change } from '../cache/change';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';

const pathOf = (code: string) => `/api/projects/${encodeURIComponent(code)}/origins`;
const keyOf = (code: string) => [...queryKeys.projectOrigins, code];

/** `GET /api/projects/:code/origins`: the origins that may call with the project's key and that no URL names. */
export const useOtherOrigins = (code: string, isEnabled = true) =>
  useQuery({
    queryKey: keyOf(code),
    queryFn: ({ signal }) => http({ path: pathOf(code), schema: otherOrigins, signal }),
    refetchOnMount: 'always',
    retry: false,
    enabled: isEnabled,
  });

/** `PUT /api/projects/:code/origins`: replaces the list. Throws what `http` throws. */
export const changeOtherOrigins = (
  queryClient: QueryClient,
  code: string,
  origins: readonly string[],
): Promise<void> =>
  change(queryClient, [keyOf(code)], async () => {
    const kept = await http({
      path: pathOf(code),
      ...({ method: 'PUT', body: { origins }, schema: otherOrigins } as const),
    });
    queryClient.setQueryData(keyOf(code), kept);
  });
