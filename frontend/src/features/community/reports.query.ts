import { queryKeys } from '../../api/cache/query.keys';
import { getReports } from '../../api/community/forum.calls';

/** Reports are not announced, so pages that show them ask again while they are visible. */
const everyMs = 30_000;

/** What users have reported, for administrators. */
export const reportsQuery = (isAdministrator: boolean) => ({
  queryKey: [...queryKeys.forum, 'reports'],
  queryFn: ({ signal }: { signal: AbortSignal }) => getReports(signal),
  enabled: isAdministrator,
  refetchInterval: everyMs,
  refetchOnMount: 'always' as const,
  refetchOnWindowFocus: 'always' as const,
});
