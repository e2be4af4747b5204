import type { PublicConfig } from '@orange-id/contract/config.schema';
import { queryOptions } from '@tanstack/react-query';
import { http } from '../http';
import { queryKeys } from '../cache/query.keys';

/** The configuration that the server embedded in the page; `undefined` if another server rendered the page. */
export function configInPage(): PublicConfig | undefined {
  const text = document.getElementById('portal-config')?.textContent.trim();
  return text ? (JSON.parse(text) as PublicConfig) : undefined;
}

/** `GET /api/config`, once per page load. */
export const configQuery = queryOptions({
  queryKey: queryKeys.config,
  queryFn: async ({ signal }) => {
    const { publicConfig } = await import('@orange-id/contract/config.schema');
    return http({ path: '/api/config', token: null, schema: publicConfig, signal });
  },
  gcTime: Infinity,
});
