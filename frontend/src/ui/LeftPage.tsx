import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useAuth } from '../api/session/auth.context';
import { forgetPage, readPage } from '../api/session/left.page';

/**
 * The page of a user who has just signed in: goes on, once, to the page that sent this tab to the sign-in page, if its
 * address starts with `path`; otherwise shows its children.
 */
export function LeftPage({ path, children }: { path: string; children: ReactNode }) {
  const { user } = useAuth();
  const { pathname, search } = useLocation();
  const [page, setPage] = useState(() => {
    const left = readPage(user?.id);
    return search === '' && left?.startsWith(path) ? left : null;
  });
  useEffect(() => forgetPage(), []);
  if (page === pathname + search) setPage(null);
  return page === null ? children : <Navigate to={page} replace />;
}
