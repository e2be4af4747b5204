import { documentTitle } from '@orange-id/contract/app.routes';
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useAuth } from '../api/session/auth.context';
import { isLinking, linkingTitle } from '../api/account/linking.path';
import { useRouteHandle } from './useRouteHandle';

/** Sets the document title. `/login` is two pages: sign-in, and the sign-in methods of a signed-in user. */
export function DocumentTitle() {
  const { title, titleAt, description, keywords, bare } = useRouteHandle();
  const { hash } = useLocation();
  const { isAuthenticated, isLoading } = useAuth();
  const [query] = useSearchParams();
  const isLinkPage = bare === 'unlessLinking' && isLinking(query) && (isAuthenticated || isLoading);
  const shown = isLinkPage ? linkingTitle : (titleAt?.(hash) ?? title);
  useEffect(() => {
    document.title = documentTitle(shown);
    if (description) document.querySelector('meta[name=description]')?.setAttribute('content', description);
    showKeywords(keywords);
  }, [shown, description, keywords]);
  return null;
}

function showKeywords(keywords: string | undefined): void {
  const known = document.querySelector('meta[name=keywords]');
  if (keywords === undefined) return known?.remove();
  const meta = known ?? document.head.appendChild(document.createElement('meta'));
  meta.setAttribute('name', 'keywords');
  meta.setAttribute('content', keywords);
}
