/** Identifies a page for the sidebar; `profile` and `settings` have no sidebar entry. */
export type SidebarEntry =
  'dashboard' | 'projects' | 'orange-id' | 'customisation' | 'keys' | 'usage' | 'profile' | 'settings';

/** Metadata of a route. */
export interface RouteHandle {
  title: string;
  description?: string;
  /** The page's sidebar entry, if it has one. */
  entry?: SidebarEntry;
  /** Renders without header, sidebar and footer: always, or unless a signed-in user links a sign-in method. */
  bare?: 'always' | 'unlessLinking';
}
