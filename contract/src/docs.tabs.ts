/** The tabs of the documentation, in its order. */
export const docsTabs = {
  overview: 'Overview',
  authentication: 'Authentication',
  reference: 'API Reference',
  explorer: 'API Explorer',
} as const;

export type DocsTab = keyof typeof docsTabs;

/** The tab that an anchor (`#reference-token`) is on; the first one without an anchor of the documentation. */
export function docsTabOf(hash: string): DocsTab {
  const [name = ''] = hash.slice(1).split('-');
  return Object.hasOwn(docsTabs, name) ? (name as DocsTab) : 'overview';
}
