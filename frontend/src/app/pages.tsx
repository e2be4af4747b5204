import { appRoutes, type AppRoute } from '@orange-id/contract/app.routes';
import type { ComponentType, ReactNode } from 'react';
import { fetchToastsAhead } from '../ui/toast';
import { dashboardPage, HomePage } from './HomePage';
import { PlainPage, type PlainPageProps } from './PlainPage';
import type { RouteHandle, SidebarEntry } from './route.handle';
import { themedPage } from './themed.page';

export interface Page extends Pick<RouteHandle, 'entry' | 'bare'> {
  element?: ReactNode;
  lazy?: () => Promise<{ Component: ComponentType }>;
}

const plain = (path: AppRoute, words: Omit<PlainPageProps, 'title'>, entry?: SidebarEntry): Page => ({
  entry,
  element: <PlainPage title={appRoutes[path].title} {...words} />,
});

const themed = (load: () => Promise<ComponentType>, more: Omit<Page, 'lazy'> = {}): Page => ({
  ...more,
  lazy: () => themedPage(load),
});

/** The page of each route in the contract. */
export const pages: Record<AppRoute, Page> = {
  '/': { entry: 'dashboard', element: <HomePage /> },
  '/login': themed(async () => (await import('../features/passport/LoginPage')).LoginPage, {
    entry: 'profile',
    bare: 'unlessLinking',
  }),
  '/auth/callback': themed(async () => (await import('../features/passport/CallbackPage')).CallbackPage, {
    bare: 'always',
  }),
  '/docs': plain('/docs', {
    help: 'This page will hold the portal’s documentation and an API explorer.',
    next: { label: 'Open the API reference', to: '/api' },
  }),
  '/faq': plain('/faq', { help: 'Coming Soon', next: { label: 'Open the API reference', to: '/api' } }),
  '/games-sdk-integration-guide': plain('/games-sdk-integration-guide', {
    help: 'The guide for HTML5 games isn’t available yet.',
    next: { label: 'Open the integration wizard', to: '/orange-id' },
  }),
  '/orange-id': themed(async () => (await import('../features/wizard/WizardPage')).WizardPage, {
    entry: 'orange-id',
  }),
  '/dashboard': { entry: 'dashboard', lazy: async () => ({ Component: await dashboardPage() }) },
  '/profile': themed(async () => (await import('../features/profile/ProfilePage')).ProfilePage, {
    entry: 'profile',
  }),
  '/api': themed(async () => (await import('../features/reference/ApiReferencePage')).ApiReferencePage),
  '/projects': themed(async () => (await import('../features/projects/ProjectsPage')).ProjectsPage, {
    entry: 'projects',
  }),
  '/settings': themed(async () => (await import('../features/settings/SettingsPage')).SettingsPage, {
    entry: 'settings',
  }),
  '/customisation': plain(
    '/customisation',
    {
      help: 'Customize your widgets and appearance settings',
      note: 'The widget configurator isn’t available yet.',
      next: { label: 'Go to My Projects', to: '/projects' },
    },
    'customisation',
  ),
  '/keys': themed(async () => (await import('../features/keys/KeysPage')).KeysPage, { entry: 'keys' }),
  '/usage': themed(async () => (await import('../features/usage/UsagePage')).UsagePage, { entry: 'usage' }),
};

/**
 * Preloads the code of every page when the browser is idle, so that opening one needs no network. A page that fails to
 * preload is loaded when it is opened, and only that failure shows an error.
 */
export function fetchPagesAhead(...others: (() => Promise<unknown>)[]): () => void {
  const fetchAll = () => {
    if (!navigator.onLine) return;
    fetchToastsAhead();
    for (const { lazy } of Object.values(pages)) lazy?.().catch(() => undefined);
    for (const fetch of others) fetch().catch(() => undefined);
  };
  // Safari has no `requestIdleCallback`.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(fetchAll, 2_000);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(fetchAll, { timeout: 10_000 });
  return () => cancelIdleCallback(request);
}
