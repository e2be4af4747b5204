import { http } from './http';

/** `DELETE /api/v1/auth/identifiers/:id` of the identity service; never the last one, which it refuses by 409. */
export const unlinkMethod = (baseUrl: string, id: string): Promise<void> =>
  http<void>({
    path: `${baseUrl}/api/v1/auth/identifiers/${encodeURIComponent(id)}`,
    method: 'DELETE',
    credentials: 'same-origin',
  });
