import { http } from '../http';

/**
 * `DELETE /api/projects/:code`: deletes the project with its whitelist and key; only for embedded projects. Throws what
 * `http` throws.
 */
export const deleteProject = (code: string): Promise<void> =>
  http<void>({ path: `/api/projects/${encodeURIComponent(code)}`, method: 'DELETE' });
