import { appRoutes, type AppRoute } from '@orange-id/contract/app.routes';
import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { RouteError } from './ErrorScreen';
import { HomePage } from './HomePage';
import { NotFoundPage } from './NotFoundPage';
import { PlainPage } from './PlainPage';
import { ProtectedRoute } from './ProtectedRoute';
import { RootLayout } from './RootLayout';
import type { RouteHandle } from './route.handle';
import { Shell } from './Shell';
import { Splash } from './Splash';

/** `entry` is the page's place in the sidebar; a bare page stands without header and sidebar. */
interface Page extends Pick<RouteObject, 'element' | 'lazy'> {
  title: string;
  entry?: string;
  isBare?: boolean;
}

const plain = (title: string, help: string, entry?: string): Page => ({
  title,
  entry,
  element: <PlainPage title={title} help={help} />,
});

/** What stands at each path of the contract. */
const pages: Record<AppRoute, Page> = {
  '/': { title: 'Home', entry: 'dashboard', element: <HomePage /> },
  '/login': {
    title: 'Sign in',
    isBare: true,
    lazy: async () => ({ Component: (await import('../features/passport/LoginPage')).LoginPage }),
  },
  '/auth/callback': {
    title: 'Signing in',
    isBare: true,
    lazy: async () => ({ Component: (await import('../features/passport/CallbackPage')).CallbackPage }),
  },
  '/docs': plain('Documentation', 'The documentation with its API explorer is not here yet.'),
  '/faq': plain('FAQ', 'Coming Soon'),
  '/games-sdk-integration-guide': plain('Games SDK Guide', 'The guide for HTML5 games is not here yet.'),
  '/orange-id': {
    title: 'Orange ID',
    entry: 'orange-id',
    lazy: async () => ({ Component: (await import('../features/wizard/WizardPage')).WizardPage }),
  },
  '/dashboard': {
    title: 'Dashboard',
    entry: 'dashboard',
    lazy: async () => ({ Component: (await import('../features/dashboard/DashboardPage')).DashboardPage }),
  },
  '/profile': plain(
    'My Profile',
    'Your profile page is not here yet; display name and e-mail are in Settings.',
    'profile',
  ),
  '/api': plain('API', 'The API reference is not here yet.', 'api'),
  '/projects': {
    title: 'My Projects',
    entry: 'projects',
    lazy: async () => ({ Component: (await import('../features/projects/ProjectsPage')).ProjectsPage }),
  },
  '/settings': {
    title: 'Settings',
    entry: 'settings',
    lazy: async () => ({ Component: (await import('../features/settings/SettingsPage')).SettingsPage }),
  },
  '/customisation': plain(
    'Widget Customisation',
    'Customize your widgets and appearance settings',
    'customisation',
  ),
  '/usage': {
    title: 'Usage',
    entry: 'usage',
    lazy: async () => ({ Component: (await import('../features/usage/UsagePage')).UsagePage }),
  },
};

const handleOf = ({ title, entry }: Page): RouteHandle => ({ title, page: entry });

/** The routes of the pages chosen. */
function routesWhere(chosen: (page: Page, access: (typeof appRoutes)[AppRoute]) => boolean): RouteObject[] {
  return (Object.keys(pages) as AppRoute[])
    .filter((path) => chosen(pages[path], appRoutes[path]))
    .map((path) => {
      const { element, lazy } = pages[path];
      return { path, handle: handleOf(pages[path]), ...(lazy ? { lazy } : { element }) };
    });
}

const barePages = routesWhere(({ isBare }) => isBare === true);
const shellPages: RouteObject[] = [
  ...routesWhere(({ isBare }, access) => !isBare && access !== 'protected'),
  {
    element: <ProtectedRoute />,
    children: routesWhere(({ isBare }, access) => !isBare && access === 'protected'),
  },
  { path: '*', handle: { title: 'Page Not Found' } satisfies RouteHandle, element: <NotFoundPage /> },
];

/**
 * Every route of spec §2, each page loaded when it is first opened. Error screens stand on a parent: the router draws
 * nothing for a lazy route that could not be loaded, not even the route's own error element.
 */
export const createRouter = () =>
  createBrowserRouter([
    {
      element: <RootLayout />,
      errorElement: <RouteError />,
      hydrateFallbackElement: <Splash />,
      children: [
        { errorElement: <RouteError />, children: barePages },
        { element: <Shell />, children: [{ errorElement: <RouteError />, children: shellPages }] },
      ],
    },
  ]);
