import { http } from '../http';

/** `DELETE /api/v1/auth/identifiers/:id` of the identity service; it refuses to remove the last one with 409. */
export const unlinkMethod = (baseUrl: string, id: string): Promise<void> =>
  http<void>({
    path: `${baseUrl}/api/v1/auth/identifiers/${encodeURIComponent(id)}`,
    method: 'DELETE',
    credentials: 'same-origin',
  });
