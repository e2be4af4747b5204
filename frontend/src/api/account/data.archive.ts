import { archiveState } from '@orange-id/contract/archive.schema';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { useAuth } from '../session/auth.context';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';

const path = '/api/account/archive';
const readAgainMs = 2_000;

/** `GET /api/account/archive`: whether the archive of the user's data is ready; read again while it is prepared. */
export function useDataArchive() {
  const { isAuthenticated } = useAuth();
  return useQuery({
    queryKey: queryKeys.dataArchive,
    queryFn: ({ signal }) => http({ path, schema: archiveState, signal }),
    enabled: isAuthenticated,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data?.state === 'preparing' ? readAgainMs : false),
  });
}

/** `POST /api/account/archive`: has an archive prepared. */
export const askForArchive = () => http({ path, method: 'POST', schema: archiveState });

/** `GET /api/account/archive/file` */
export async function downloadArchive(): Promise<Blob> {
  const archive = await http({ path: `${path}/file`, schema: z.record(z.string(), z.unknown()) });
  return new Blob([JSON.stringify(archive, null, 2)], { type: 'application/json' });
}
