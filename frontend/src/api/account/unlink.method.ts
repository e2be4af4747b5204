import { http } from '../http';

/**
 * `DELETE /api/v1/auth/identifiers/:id` of the identity service: removes a sign-in method; 409 if it is the last one.
 */
export const unlinkMethod = (baseUrl: string, id: string): Promise<void> =>
  http<void>({
    path: `${baseUrl}/api/v1/auth/identifiers/${encodeURIComponent(id)}`,
    method: 'DELETE',
    credentials: 'same-origin',
  });
