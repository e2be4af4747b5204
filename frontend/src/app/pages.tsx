import {
  AppstoreOutlined,
  BgColorsOutlined,
  CommentOutlined,
  HomeOutlined,
  LineChartOutlined,
  SafetyCertificateOutlined,
} from '@ant-design/icons';
import type { AppRoute, SidebarRoute } from '@orange-id/contract/app.routes';
import { docsTitle } from '@orange-id/contract/docs.tabs';
import type { ComponentType, ReactNode } from 'react';
import { KeyIcon } from '../ui/KeyIcon';
import { ProjectsShape, SettingsShape } from '../ui/PageShapes';
import { fetchToastsAhead } from '../ui/toast';
import { docsPage, DocsRoute } from './DocsRoute';
import { gamesGuidePage, GamesGuideRoute } from './GamesGuideRoute';
import { dashboardPage, HomePage } from './HomePage';
import { NotFoundPage } from './NotFoundPage';
import { PlainPage } from './PlainPage';
import type { RouteHandle, SkeletonShape } from './route.handle';
import { themed } from './themed.page';

export interface Page extends Pick<RouteHandle, 'titleAt' | 'skeleton' | 'bare'> {
  element?: ReactNode;
  lazy?: () => Promise<{ Component: ComponentType }>;
  /** Its icon in the sidebar. */
  icon?: ReactNode;
}

const homeSkeleton: SkeletonShape = { title: 'Welcome to Orange ID', isBanner: true, cards: 2 };

/** How each page of the contract's table renders, and looks while it loads. */
export const pages: Record<AppRoute, Page> & Record<SidebarRoute, { icon: ReactNode }> = {
  '/': { icon: <HomeOutlined />, skeleton: homeSkeleton, element: <HomePage /> },
  '/dashboard': { skeleton: homeSkeleton, lazy: async () => ({ Component: await dashboardPage() }) },
  '/projects': {
    icon: <AppstoreOutlined />,
    skeleton: { hasAction: true, body: <ProjectsShape /> },
    lazy: themed(async () => (await import('../features/projects/ProjectsPage')).ProjectsPage),
  },
  '/orange-id': {
    icon: <SafetyCertificateOutlined />,
    lazy: themed(async () => (await import('../features/wizard/WizardPage')).WizardPage),
  },
  '/customisation': {
    icon: <BgColorsOutlined />,
    lazy: themed(async () => (await import('../features/customisation/CustomisationPage')).CustomisationPage),
  },
  '/keys': {
    icon: <KeyIcon />,
    lazy: themed(async () => (await import('../features/keys/KeysPage')).KeysPage),
  },
  '/usage': {
    icon: <LineChartOutlined />,
    // Its live state, filters, figures and chart.
    skeleton: { cards: 4 },
    lazy: themed(async () => (await import('../features/usage/UsagePage')).UsagePage),
  },
  '/community': {
    icon: <CommentOutlined />,
    skeleton: { hasAction: true },
    lazy: themed(async () => (await import('../features/community/CommunityPage')).CommunityPage),
  },
  '/community/new': {
    lazy: themed(async () => (await import('../features/community/NewPostPage')).NewPostPage),
  },
  '/profile': {
    skeleton: { isBanner: true, cards: 2 },
    lazy: themed(async () => (await import('../features/profile/ProfilePage')).ProfilePage),
  },
  '/settings': {
    skeleton: { body: <SettingsShape /> },
    lazy: themed(async () => (await import('../features/settings/SettingsPage')).SettingsPage),
  },
  '/api': {
    lazy: themed(async () => (await import('../features/reference/ApiReferencePage')).ApiReferencePage),
  },
  '/login': {
    bare: 'unlessLinking',
    lazy: themed(async () => (await import('../features/passport/LoginPage')).LoginPage),
  },
  '/auth/callback': {
    bare: 'always',
    lazy: themed(async () => (await import('../features/passport/CallbackPage')).CallbackPage),
  },
  '/docs': { titleAt: docsTitle, element: <DocsRoute /> },
  '/faq': {
    element: <PlainPage help="Coming Soon" next={{ label: 'Open the API reference', to: '/api' }} />,
  },
  '/games-sdk-integration-guide': {
    element: <GamesGuideRoute />,
  },
  '/games-sdk-integration-guide/playground': {
    lazy: themed(
      async () => (await import('../features/games-guide/playground/PlaygroundPage')).PlaygroundPage,
    ),
  },
};

/** How the page of a post loads; its path has a parameter. */
export const communityPost = themed(async () => (await import('../features/community/PostPage')).PostPage);

/** How the page of reports loads, which is not in the table of pages because most users have none. */
export const communityReports = themed(async () => {
  const { ReportsPage } = await import('../features/community/ReportsPage');
  return () => <ReportsPage missing={<NotFoundPage />} />;
});

/**
 * Preloads the code of every page when the browser is idle, so that opening one needs no network. A page that fails to
 * preload is loaded when it is opened, and only that failure shows an error.
 */
export function fetchPagesAhead(...others: (() => Promise<unknown>)[]): () => void {
  const fetchAll = () => {
    if (!navigator.onLine) return;
    fetchToastsAhead();
    for (const { lazy } of Object.values<Page>(pages)) lazy?.().catch(() => undefined);
    for (const fetch of [docsPage, gamesGuidePage, communityPost, ...others]) fetch().catch(() => undefined);
  };
  // Safari has no `requestIdleCallback`.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(fetchAll, 2_000);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(fetchAll, { timeout: 10_000 });
  return () => cancelIdleCallback(request);
}
