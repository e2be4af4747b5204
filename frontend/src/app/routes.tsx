import { appRoutes, notFoundTitle, type AppRoute } from '@orange-id/contract/app.routes';
import type { RouteObject } from 'react-router-dom';
import { RouteError } from './ErrorScreen';
import { NotFoundPage } from './NotFoundPage';
import { pages, type Page } from './pages';
import { ProtectedRoute } from './ProtectedRoute';
import { RootLayout } from './RootLayout';
import type { RouteHandle } from './route.handle';
import { Shell } from './Shell';
import { Splash } from './Splash';

/** The routes of the pages chosen. */
function routesWhere(
  chosen: (page: Page, access: (typeof appRoutes)[AppRoute]['access']) => boolean,
): RouteObject[] {
  return (Object.keys(pages) as AppRoute[])
    .filter((path) => chosen(pages[path], appRoutes[path].access))
    .map((path) => {
      const { element, lazy, entry } = pages[path];
      const { title, description } = appRoutes[path];
      const handle: RouteHandle = { title, description, entry };
      // The server answers any other spelling with 404.
      return { path, caseSensitive: true, handle, ...(lazy ? { lazy } : { element }) };
    });
}

const barePages = routesWhere(({ isBare }) => isBare === true);
const shellPages: RouteObject[] = [
  ...routesWhere(({ isBare }, access) => !isBare && access !== 'protected'),
  {
    element: <ProtectedRoute />,
    children: routesWhere(({ isBare }, access) => !isBare && access === 'protected'),
  },
  { path: '*', handle: { title: notFoundTitle } satisfies RouteHandle, element: <NotFoundPage /> },
];

/**
 * Every route of spec §2, each page loaded when it is first opened. Error screens stand on a parent: the router draws
 * nothing for a lazy route that could not be loaded, not even the route's own error element.
 */
export const routes: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <Splash />,
    children: [
      { errorElement: <RouteError />, children: barePages },
      { element: <Shell />, children: [{ errorElement: <RouteError />, children: shellPages }] },
    ],
  },
];
