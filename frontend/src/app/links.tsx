import {
  AppstoreOutlined,
  BgColorsOutlined,
  HomeOutlined,
  LineChartOutlined,
  SafetyCertificateOutlined,
} from '@ant-design/icons';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { ReactNode } from 'react';
import type { SidebarEntry } from './route.handle';

/** A place to go: inside the portal, or outside in a new tab. */
export interface NavLink {
  label: string;
  to: string;
  isExternal?: boolean;
}

export const integrationLinks: NavLink[] = [
  { label: 'Orange ID', to: '/orange-id' },
  { label: 'API', to: '/api' },
  { label: 'Games SDK Guide', to: '/games-sdk-integration-guide' },
];

export const supportLinks = ({ links }: PublicConfig): NavLink[] => [
  { label: 'FAQ', to: '/faq' },
  { label: 'Docs', to: links.docs, isExternal: true },
  { label: 'Feedback', to: links.feedback, isExternal: true },
];

export const projectsLink: NavLink = { label: 'My Projects', to: '/projects' };

export const accountLinks: NavLink[] = [
  { label: 'Profile', to: '/profile' },
  { label: 'Settings', to: '/settings' },
];

/** Placeholders of the footer: they lead nowhere yet (spec §2). */
export const legalEntries = ['Privacy', 'Terms', 'Cookie', 'Security', 'Status Page', 'Contact Us'];

export const socialLinks = ({ links }: PublicConfig): NavLink[] => [
  { label: 'Telegram', to: links.telegram, isExternal: true },
  { label: 'X', to: links.x, isExternal: true },
  { label: 'Discord', to: links.discord, isExternal: true },
  { label: 'News', to: links.news, isExternal: true },
];

interface SidebarLink extends NavLink {
  entry: SidebarEntry;
  icon: ReactNode;
}

/** The spec's four entries, then those of the portal's own, under a label. */
export const sidebarGroups: { label: string | null; links: SidebarLink[] }[] = [
  {
    label: null,
    links: [
      { entry: 'dashboard', label: 'Home', to: '/', icon: <HomeOutlined /> },
      { entry: 'projects', label: 'My Projects', to: '/projects', icon: <AppstoreOutlined /> },
      { entry: 'orange-id', label: 'Orange ID', to: '/orange-id', icon: <SafetyCertificateOutlined /> },
      { entry: 'customisation', label: 'Customisation', to: '/customisation', icon: <BgColorsOutlined /> },
    ],
  },
  {
    label: 'Monitor',
    links: [{ entry: 'usage', label: 'Usage', to: '/usage', icon: <LineChartOutlined /> }],
  },
];
