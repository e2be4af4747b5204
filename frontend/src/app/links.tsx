import {
  ApiOutlined,
  BookOutlined,
  BulbOutlined,
  QuestionCircleOutlined,
  RocketOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { appRoutes, type AppRoute } from '@orange-id/contract/app.routes';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { ReactNode } from 'react';
import { pages, type Page } from './pages';

/** A link: inside the portal, or external in a new tab. */
export interface NavLink {
  label: string;
  to: string;
  isExternal?: boolean;
  icon?: ReactNode;
  /** Whether the linked page isn't available yet. */
  isSoon?: boolean;
  /** What the page offers, in a few words. */
  help?: string;
}

export const integrationLinks: NavLink[] = [
  {
    label: 'Orange ID',
    to: '/orange-id',
    icon: <SafetyCertificateOutlined />,
    help: 'Create a project and get its API key',
  },
  { label: 'API', to: '/api', icon: <ApiOutlined />, help: 'Endpoints, parameters and responses' },
  {
    label: 'Games SDK Guide',
    to: '/games-sdk-integration-guide',
    icon: <RocketOutlined />,
    help: 'Connect an HTML5 game to tournaments',
  },
];

export const supportLinks = (
  { links }: PublicConfig,
  docs: Pick<NavLink, 'to' | 'isExternal'>,
): NavLink[] => [
  {
    label: 'FAQ',
    to: '/faq',
    icon: <QuestionCircleOutlined />,
    help: 'Short answers to common questions',
    isSoon: true,
  },
  {
    label: 'Docs',
    ...docs,
    icon: <BookOutlined />,
    help: 'First call, every endpoint, API Explorer',
  },
  {
    label: 'Feedback',
    to: links.feedback,
    isExternal: true,
    icon: <BulbOutlined />,
    help: 'Tell us what’s missing or broken',
  },
];

export const projectsLink: NavLink = { label: 'My Projects', to: '/projects' };

export const accountLinks: NavLink[] = [
  { label: 'Profile', to: '/profile', icon: <UserOutlined /> },
  { label: 'Settings', to: '/settings', icon: <SettingOutlined /> },
];

/** In the footer; users have it in the sidebar too. */
export const communityLink: NavLink = { label: 'Community', to: '/community' };

/** Placeholders in the footer, without targets yet. */
export const legalEntries = ['Privacy', 'Terms', 'Cookie', 'Security', 'Status Page', 'Contact Us'];

export const socialLinks = ({ links }: PublicConfig): NavLink[] => [
  { label: 'Telegram', to: links.telegram, isExternal: true },
  { label: 'X', to: links.x, isExternal: true },
  { label: 'Discord', to: links.discord, isExternal: true },
  { label: 'News', to: links.news, isExternal: true },
];

const sidebarLinks = (Object.keys(appRoutes) as AppRoute[]).flatMap((path) => {
  const { sidebar } = appRoutes[path];
  return sidebar ? [{ ...sidebar, to: path, icon: (pages[path] as Page).icon }] : [];
});

/** The sidebar's main entries, then the developer pages under their own label. */
export const sidebarGroups = ([undefined, 'Developers'] as const).map((label) => ({
  label,
  links: sidebarLinks.filter(({ group }) => group === label),
}));
