import type { AppRoute } from '@orange-id/contract/app.routes';
import type { ComponentType, ReactNode } from 'react';
import { HomePage } from './HomePage';
import { PlainPage } from './PlainPage';
import type { RouteHandle, SidebarEntry } from './route.handle';

/** A bare page stands without header and sidebar. */
export interface Page extends RouteHandle {
  isBare?: boolean;
  element?: ReactNode;
  lazy?: () => Promise<{ Component: ComponentType }>;
}

const plain = (title: string, help: string, entry?: SidebarEntry, note?: string): Page => ({
  title,
  entry,
  element: <PlainPage title={title} help={help} note={note} />,
});

/** What stands at each path of the contract. */
export const pages: Record<AppRoute, Page> = {
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
  '/api': plain('API', 'The API reference is not here yet.'),
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
    'The widget configurator is not here yet.',
  ),
  '/usage': {
    title: 'Usage',
    entry: 'usage',
    lazy: async () => ({ Component: (await import('../features/usage/UsagePage')).UsagePage }),
  },
};

/**
 * Fetches the code of every page once nothing else is going on, so that going there needs no network. One that cannot
 * be fetched now is fetched when it is opened, and only a failure then is news.
 */
export function fetchPagesAhead(): () => void {
  const fetchAll = () => {
    if (!navigator.onLine) return;
    for (const { lazy } of Object.values(pages)) lazy?.().catch(() => undefined);
  };
  // Safari has no idle callback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(fetchAll, 2_000);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(fetchAll, { timeout: 10_000 });
  return () => cancelIdleCallback(request);
}
