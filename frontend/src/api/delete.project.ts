import { http } from './http';

/** `DELETE /api/projects/:code`: the project with its whitelist and key; embedded projects only. Throws what `http` throws. */
export const deleteProject = (code: string): Promise<void> =>
  http<void>({ path: `/api/projects/${encodeURIComponent(code)}`, method: 'DELETE' });
