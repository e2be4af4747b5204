import {
  appRoutes,
  communityPostPage,
  communityReportsPage,
  notFoundTitle,
  type AppPage,
  type AppRoute,
} from '@orange-id/contract/app.routes';
import type { RouteObject } from 'react-router-dom';
import { RouteError } from './ErrorScreen';
import { lazyPage } from './lazy.page';
import { NotFoundPage } from './NotFoundPage';
import { communityPost, communityReports, pages, type Page } from './pages';
import { ProtectedRoute } from './ProtectedRoute';
import { RootLayout } from './RootLayout';
import type { RouteHandle } from './route.handle';
import { Shell } from './Shell';
import { Splash } from './Splash';

/** The routes whose access level passes `chosen`. */
function routesWhere(chosen: (access: AppPage['access']) => boolean): RouteObject[] {
  return (Object.keys(pages) as AppRoute[])
    .filter((path) => chosen(appRoutes[path].access))
    .map((path) => {
      const { element, lazy, titleAt, skeleton, bare }: Page = pages[path];
      const { title, description, keywords, sameAs: page = path, below } = appRoutes[path];
      const handle: RouteHandle = { title, titleAt, description, keywords, page, below, skeleton, bare };
      // The server returns 404 for any other spelling.
      return { path, caseSensitive: true, handle, ...(lazy ? { lazy: lazyPage(lazy) } : { element }) };
    });
}

const handleOf = ({ title, description, below }: AppPage): RouteHandle => ({ title, description, below });

const shellPages: RouteObject[] = [
  ...routesWhere((access) => access !== 'protected'),
  {
    element: <ProtectedRoute />,
    children: [
      ...routesWhere((access) => access === 'protected'),
      {
        path: communityReportsPage.path,
        handle: handleOf(communityReportsPage),
        lazy: lazyPage(communityReports),
      },
    ],
  },
  {
    path: communityPostPage.path,
    handle: handleOf(communityPostPage),
    lazy: lazyPage(communityPost),
  },
  { path: '*', handle: { title: notFoundTitle } satisfies RouteHandle, element: <NotFoundPage /> },
];

/**
 * Every route; each page loads when it is first opened. The error boundaries are on a parent, because the router
 * renders nothing for a lazy route that fails to load, not even the route's own error element.
 */
export const routes: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <Splash />,
    children: [{ element: <Shell />, children: [{ errorElement: <RouteError />, children: shellPages }] }],
  },
];
