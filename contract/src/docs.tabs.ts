import { appRoutes } from './app.routes.js';

/** The tabs of the documentation, in its order. */
export const docsTabs = {
  overview: 'Overview',
  authentication: 'Authentication',
  reference: 'API Reference',
  explorer: 'API Explorer',
} as const;

export type DocsTab = keyof typeof docsTabs;

/** The title of the documentation at an anchor. */
export function docsTitle(hash: string): string {
  const tab = docsTabOf(hash);
  const { title } = appRoutes['/docs'];
  return tab === 'overview' ? title : `${docsTabs[tab]} · ${title}`;
}

/** The tab that an anchor (`#reference-token`) is on; the first tab if the anchor names no tab. */
export function docsTabOf(hash: string): DocsTab {
  const [name = ''] = hash.slice(1).split('-');
  return Object.hasOwn(docsTabs, name) ? (name as DocsTab) : 'overview';
}
