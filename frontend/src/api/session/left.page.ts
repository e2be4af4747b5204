import { appPageAt } from '@orange-id/contract/app.routes';

/** The page of this tab that led to the sign-in page, and whose page it was, if anyone was signed in. */
interface LeftPage {
  path: string;
  userId: string | null;
}

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

/** Remembers a page of the community, where a visitor who signs in may be about to write. */
export function rememberCommunity({
  pathname,
  search,
  hash,
}: Record<'pathname' | 'search' | 'hash', string>): void {
  if (pathname.startsWith('/community')) rememberPage(pathname + search + hash);
}

export const forgetPage = (): void => sessionStorage.removeItem(names.page);

/** The page to return to; `null` if there is none, or if another user has signed in. */
export function readPage(userId: string | undefined): string | null {
  const page = readLeft();
  return page && (page.userId === null || page.userId === userId) ? page.path : null;
}

/** Checked by hand, because the first page has no room for the schemas. */
function readLeft(): LeftPage | null {
  try {
    const { path, userId } = JSON.parse(sessionStorage.getItem(names.page) ?? '{}') as Partial<LeftPage>;
    const isWhole = typeof path === 'string' && (userId === null || typeof userId === 'string');
    return isWhole && isReturnable(path) ? { path, userId } : null;
  } catch {
    return null;
  }
}
