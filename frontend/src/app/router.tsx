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

const handle = (title: string, page?: string): RouteHandle => ({ title, page });

const plain = (path: string, title: string, help: string, more: RouteHandle = { title }): RouteObject => ({
  path,
  handle: more,
  element: <PlainPage title={title} help={help} />,
});

const protectedPages: RouteObject[] = [
  {
    path: '/dashboard',
    handle: handle('Dashboard', 'dashboard'),
    lazy: async () => ({ Component: (await import('../features/dashboard/DashboardPage')).DashboardPage }),
  },
  {
    path: '/projects',
    handle: handle('My Projects', 'projects'),
    lazy: async () => ({ Component: (await import('../features/projects/ProjectsPage')).ProjectsPage }),
  },
  {
    path: '/settings',
    handle: handle('Settings', 'settings'),
    lazy: async () => ({ Component: (await import('../features/settings/SettingsPage')).SettingsPage }),
  },
  {
    path: '/usage',
    handle: handle('Usage', 'usage'),
    lazy: async () => ({ Component: (await import('../features/usage/UsagePage')).UsagePage }),
  },
  plain(
    '/profile',
    'My Profile',
    'Your profile page is not here yet; display name and e-mail are in Settings.',
    handle('My Profile', 'profile'),
  ),
  plain('/api', 'API', 'The API reference is not here yet.', handle('API', 'api')),
  plain(
    '/customisation',
    'Widget Customisation',
    'Customize your widgets and appearance settings',
    handle('Widget Customisation', 'customisation'),
  ),
];

const shellPages: RouteObject[] = [
  { path: '/', handle: handle('Home', 'dashboard'), element: <HomePage /> },
  {
    path: '/orange-id',
    handle: handle('Orange ID', 'orange-id'),
    lazy: async () => ({ Component: (await import('../features/wizard/WizardPage')).WizardPage }),
  },
  plain('/docs', 'Documentation', 'The documentation with its API explorer is not here yet.'),
  plain('/faq', 'FAQ', 'Coming Soon'),
  plain('/games-sdk-integration-guide', 'Games SDK Guide', 'The guide for HTML5 games is not here yet.'),
  { element: <ProtectedRoute />, children: protectedPages },
  { path: '*', handle: handle('Page Not Found'), element: <NotFoundPage /> },
];

const barePages: RouteObject[] = [
  {
    path: '/login',
    handle: handle('Sign in'),
    lazy: async () => ({ Component: (await import('../features/passport/LoginPage')).LoginPage }),
  },
  {
    path: '/auth/callback',
    handle: handle('Signing in'),
    lazy: async () => ({ Component: (await import('../features/passport/CallbackPage')).CallbackPage }),
  },
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
