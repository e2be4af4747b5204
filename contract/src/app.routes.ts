/** A page of the application: who may open it, and its title and description for browsers and search engines. */
interface AppPage {
  /** `own`: for signed-in users, but the page itself redirects to /login, because it stores something first. */
  access: 'public' | 'own' | 'protected';
  title: string;
  description: string;
}

/**
 * The pages of the browser application; any other path returns 404. Both the server and the browser's router read
 * them here.
 */
export const appRoutes = {
  '/': {
    access: 'public',
    title: 'Home',
    description:
      'Add sign-in with Google, Apple, email or a wallet to your app, get one API key per project, and watch its calls arrive live.',
  },
  '/login': {
    access: 'public',
    title: 'Sign in',
    description: 'Sign in to the Orange ID developer portal with Google, Apple, email or a wallet.',
  },
  '/auth/callback': {
    access: 'public',
    title: 'Signing in',
    description: 'The last step of signing in to the Orange ID developer portal.',
  },
  '/docs': {
    access: 'public',
    title: 'Documentation',
    description: 'Coming soon: the Orange ID documentation and an API explorer.',
  },
  '/faq': {
    access: 'public',
    title: 'FAQ',
    description: 'Coming soon: answers to questions developers ask about Orange ID.',
  },
  '/games-sdk-integration-guide': {
    access: 'public',
    title: 'Games SDK Guide',
    description: 'Coming soon: how to connect an HTML5 game to tournaments with the games SDK and Orange ID.',
  },
  '/orange-id': {
    access: 'own',
    title: 'Create a project',
    description: 'Create an integration project in three steps: its name, its URLs and its API key.',
  },
  '/dashboard': {
    access: 'protected',
    title: 'Dashboard',
    description: 'Your profile, your rank and today’s API calls.',
  },
  '/profile': {
    access: 'protected',
    title: 'My Profile',
    description: 'Your profile, your wallets and your sign-in methods.',
  },
  '/api': {
    access: 'protected',
    title: 'API',
    description: 'Every endpoint of the portal, with its parameters and responses.',
  },
  '/projects': {
    access: 'protected',
    title: 'My Projects',
    description: 'Your projects, their API keys and allowed URLs.',
  },
  '/settings': {
    access: 'protected',
    title: 'Settings',
    description: 'Your photo, names, email and sessions.',
  },
  '/customisation': {
    access: 'protected',
    title: 'Widget Customisation',
    description: 'Coming soon: a configurator for the logos, colours, fonts and layout of your login widget.',
  },
  '/keys': {
    access: 'protected',
    title: 'API Keys',
    description: 'API keys for scripts and servers, independent of your projects.',
  },
  '/usage': {
    access: 'protected',
    title: 'Usage',
    description: 'Every API call as it arrives, with totals, filters and exports.',
  },
} as const satisfies Record<string, AppPage>;

export type AppRoute = keyof typeof appRoutes;

const siteName = 'Orange ID developer portal';

/** The document title: the page's title and the site's, or only the site's for the first page. */
export const documentTitle = (title: string | undefined): string =>
  title === undefined || title === appRoutes['/'].title ? siteName : `${title} · ${siteName}`;

export const notFoundTitle = 'Page Not Found';
