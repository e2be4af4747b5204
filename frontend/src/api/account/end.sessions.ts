import { http } from '../http';

const remove = (path: string): Promise<void> =>
  http<void>({ path, method: 'DELETE', credentials: 'same-origin' });

/** `DELETE /api/v1/auth/sessions/:id` of the identity service: ends one session; 404 if it has already ended. */
export const endSession = (baseUrl: string, id: string): Promise<void> =>
  remove(`${baseUrl}/api/v1/auth/sessions/${encodeURIComponent(id)}`);

/** `DELETE /api/v1/auth/sessions` of the identity service: ends every session of the account, including this one. */
export const endAllSessions = (baseUrl: string): Promise<void> => remove(`${baseUrl}/api/v1/auth/sessions`);
