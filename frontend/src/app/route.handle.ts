/** The ids by which the sidebar knows a page; `profile` and `settings` have no entry in it to highlight. */
export type SidebarEntry =
  'dashboard' | 'projects' | 'orange-id' | 'customisation' | 'keys' | 'usage' | 'profile' | 'settings';

/** What a route says about itself. */
export interface RouteHandle {
  title: string;
  description?: string;
  /** The page's place in the sidebar, where it has one. */
  entry?: SidebarEntry;
  /** It stands without header, sidebar and footer: always, or unless a signed-in user links a sign-in method. */
  bare?: 'always' | 'unlessLinking';
}
