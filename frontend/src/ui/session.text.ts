import type { ToastMessage } from './toast';

/** The toast for a request that was refused because the session has ended. */
export const sessionExpired = {
  tone: 'error',
  title: 'Session Expired',
  description: 'Your session has expired. Redirecting to login...',
} satisfies ToastMessage;
