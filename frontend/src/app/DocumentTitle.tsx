import { documentTitle } from '@orange-id/contract/app.routes';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAuth } from '../api/auth.context';
import { isLinking, linkingTitle } from '../api/linking.path';
import { useRouteHandle } from './useRouteHandle';

/** Names the page in the browser's tab. `/login` is two pages: signing in, and the sign-in methods of who is signed in. */
export function DocumentTitle() {
  const { title, description, bare } = useRouteHandle();
  const { isAuthenticated, isLoading } = useAuth();
  const [query] = useSearchParams();
  const isLinkPage = bare === 'unlessLinking' && isLinking(query) && (isAuthenticated || isLoading);
  const shown = isLinkPage ? linkingTitle : title;
  useEffect(() => {
    document.title = documentTitle(shown);
    if (description) document.querySelector('meta[name=description]')?.setAttribute('content', description);
  }, [shown, description]);
  return null;
}
