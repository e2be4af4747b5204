import { publicConfig } from '@orange-id/contract/config.schema';
import { queryOptions } from '@tanstack/react-query';
import { http } from './http';
import { queryKeys } from './query.keys';

/** `GET /api/config`, read once per page load. */
export const configQuery = queryOptions({
  queryKey: queryKeys.config,
  queryFn: ({ signal }) => http({ path: '/api/config', token: null, schema: publicConfig, signal }),
  gcTime: Infinity,
});
