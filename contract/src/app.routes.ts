/**
 * The pages of the browser application and who may open them; any other path is answered with status 404. The server
 * and the browser's router both take their paths from here. `own`: for the signed-in too, but the page leads to
 * /login by itself, because it has something to keep first.
 */
export const appRoutes = {
  '/': 'public',
  '/login': 'public',
  '/auth/callback': 'public',
  '/docs': 'public',
  '/faq': 'public',
  '/games-sdk-integration-guide': 'public',
  '/orange-id': 'own',
  '/dashboard': 'protected',
  '/profile': 'protected',
  '/api': 'protected',
  '/projects': 'protected',
  '/settings': 'protected',
  '/customisation': 'protected',
  '/usage': 'protected',
} as const satisfies Record<string, 'public' | 'own' | 'protected'>;

export type AppRoute = keyof typeof appRoutes;
