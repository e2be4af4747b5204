import type { ToastMessage } from './toast';

/** The toast of a session that the identity service refused; the session redirects to the sign-in page. */
export const sessionExpired = {
  tone: 'error',
  title: 'Session Expired',
  description: 'Your session has expired. Redirecting to login...',
} satisfies ToastMessage;
