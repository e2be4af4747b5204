import { appPageAt } from '@orange-id/contract/app.routes';
import { z } from 'zod';

/** The page of this tab that led to the sign-in page, and whose page it was, if anyone was signed in. */
const leftPage = z.object({ path: z.string(), userId: z.string().nullable() });

const names = { page: 'orange-id.left-page', user: 'orange-id.tab-user' };

/** Only pages of the portal; the sign-in pages lead on by themselves. */
const isReturnable = (path: string): boolean => {
  const { origin, pathname } = new URL(path, window.location.origin);
  const isOwn = path.startsWith('/') && origin === window.location.origin;
  return isOwn && appPageAt(pathname) !== undefined && !['/', '/login', '/auth/callback'].includes(pathname);
};

/** Keeps who uses this tab, so that nobody else returns to their page; `null` after a sign-out. */
export function keepTabUser(userId: string | null): void {
  if (userId === null) sessionStorage.removeItem(names.user);
  else sessionStorage.setItem(names.user, userId);
}

/** Remembers the page, path and query, that sends this tab to the sign-in page. */
export function rememberPage(path: string): void {
  if (!isReturnable(path)) return;
  sessionStorage.setItem(names.page, JSON.stringify({ path, userId: sessionStorage.getItem(names.user) }));
}

export const forgetPage = (): void => sessionStorage.removeItem(names.page);

/** The page to return to; `null` if there is none, or if another user has signed in. */
export function readPage(userId: string | undefined): string | null {
  const page = readLeft();
  return page && (page.userId === null || page.userId === userId) ? page.path : null;
}

function readLeft(): z.infer<typeof leftPage> | null {
  try {
    const page = leftPage.parse(JSON.parse(sessionStorage.getItem(names.page) ?? 'null'));
    return isReturnable(page.path) ? page : null;
  } catch {
    return null;
  }
}
