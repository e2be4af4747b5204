import { http } from './http';

const remove = (path: string): Promise<void> =>
  http<void>({ path, method: 'DELETE', credentials: 'same-origin' });

/** `DELETE /api/v1/auth/sessions/:id` of the identity service: one sign-in; 404 when it has ended already. */
export const endSession = (baseUrl: string, id: string): Promise<void> =>
  remove(`${baseUrl}/api/v1/auth/sessions/${encodeURIComponent(id)}`);

/** `DELETE /api/v1/auth/sessions` of the identity service: every sign-in of the account, this one too. */
export const endAllSessions = (baseUrl: string): Promise<void> => remove(`${baseUrl}/api/v1/auth/sessions`);
