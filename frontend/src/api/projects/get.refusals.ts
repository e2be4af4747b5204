import { projectRefusals } from '@orange-id/contract/project.users.schema';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';
import { useLive } from '../usage/live.context';
import { pollMs } from '../usage/live.metrics';
import { useProjectNews } from './useProjectNews';

/** `GET /api/projects/:code/refusals`: the origins whose sign-ins were refused, refetched within a second of another. */
export function useProjectRefusals(code: string, isEnabled: boolean) {
  const queryKey = [...queryKeys.projectRefusals, code];
  useProjectNews(code, ['refused'], queryKey);
  const { status } = useLive();
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      http({ path: `/api/projects/${encodeURIComponent(code)}/refusals`, schema: projectRefusals, signal }),
    refetchOnMount: 'always',
    refetchInterval: status === 'live' ? false : pollMs,
    retry: false,
    enabled: isEnabled,
  });
}
