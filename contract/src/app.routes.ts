/** The pages of the browser application and who may open them; any other path is answered with status 404. */
export const appRoutes = {
  '/': 'public',
  '/login': 'public',
  '/auth/callback': 'public',
  '/docs': 'public',
  '/faq': 'public',
  '/games-sdk-integration-guide': 'public',
  '/orange-id': 'protected',
  '/dashboard': 'protected',
  '/profile': 'protected',
  '/api': 'protected',
  '/projects': 'protected',
  '/settings': 'protected',
  '/customisation': 'protected',
  '/usage': 'protected',
} as const satisfies Record<string, 'public' | 'protected'>;

export type AppRoute = keyof typeof appRoutes;
