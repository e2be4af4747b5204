/** A page of the application: who may open it, how browsers and search engines describe it, and its sidebar entry. */
export interface AppPage {
  /** `own`: for signed-in users, but the page itself redirects to /login, because it stores something first. */
  access: 'public' | 'own' | 'protected';
  title: string;
  description: string;
  /** For search engines that read them. */
  keywords?: string;
  /** Its entry in the sidebar and the mobile menu of a signed-in user, in the order of the table. */
  sidebar?: { label: string; group?: 'Developers'; isSoon?: true };
  /** Shows the same page as this path, whose sidebar entry it highlights. */
  sameAs?: '/';
  /** Belongs to this page, whose sidebar entry it marks. */
  below?: '/community';
}

const table = {
  '/': {
    access: 'public',
    title: 'Home',
    description:
      'Add sign-in with Google, Apple, email or a wallet to your app, get one API key per project, and watch its calls arrive live.',
    sidebar: { label: 'Home' },
  },
  '/dashboard': {
    access: 'protected',
    title: 'Dashboard',
    description: 'Your profile, your rank and today’s API calls.',
    sameAs: '/',
  },
  '/projects': {
    access: 'protected',
    title: 'My Projects',
    description: 'Your projects, their API keys and allowed URLs.',
    sidebar: { label: 'My Projects' },
  },
  '/orange-id': {
    access: 'own',
    title: 'Create a project',
    description: 'Create an integration project in three steps: its name, its URLs and its API key.',
    sidebar: { label: 'Orange ID' },
  },
  '/customisation': {
    access: 'protected',
    title: 'Widget Customisation',
    description: 'The logos, colours, fonts and layout of your login panel, with a live preview.',
    sidebar: { label: 'Customisation' },
  },
  '/keys': {
    access: 'protected',
    title: 'API Keys',
    description: 'API keys for scripts and servers, independent of your projects.',
    sidebar: { label: 'API Keys', group: 'Developers' },
  },
  '/usage': {
    access: 'protected',
    title: 'Usage',
    description: 'Every API call as it arrives, with totals, filters and exports.',
    sidebar: { label: 'Usage', group: 'Developers' },
  },
  '/community': {
    access: 'public',
    title: 'Community',
    description: 'Questions, bugs, ideas and showcases of developers who build with Orange ID.',
    sidebar: { label: 'Community', group: 'Developers' },
  },
  '/community/new': {
    access: 'public',
    title: 'New post',
    description: 'Ask a question, report a bug, suggest an idea or show what you built.',
    below: '/community',
  },
  '/profile': {
    access: 'protected',
    title: 'My Profile',
    description: 'Your profile, your wallets and your sign-in methods.',
  },
  '/settings': {
    access: 'protected',
    title: 'Settings',
    description: 'Your photo, names, email and sessions.',
  },
  '/api': {
    access: 'protected',
    title: 'API',
    description: 'Every endpoint of the portal, with its parameters and responses.',
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
    description:
      'Call wallet and token endpoints with one API key: first call, authentication, every endpoint and an API Explorer.',
  },
  '/faq': {
    access: 'public',
    title: 'FAQ',
    description: 'Coming soon: answers to questions developers ask about Orange ID.',
  },
  '/games-sdk-integration-guide': {
    access: 'public',
    title: 'Games SDK Guide',
    description:
      'Connect an HTML5 game to tournaments with the game SDK: scores, saved data, pause, resume and quit, with requirements and examples.',
    keywords:
      'HTML5 game SDK, game integration, tournaments, leaderboard, Orange ID, postMessage, JavaScript games',
  },
  '/games-sdk-integration-guide/playground': {
    access: 'public',
    title: 'Game Playground',
    description:
      'Run an HTML5 game as the tournament platform does: a sample, a zip, a folder or a local address, with live checks and a report.',
  },
} as const satisfies Record<string, AppPage>;

export type AppRoute = keyof typeof table;

export type SidebarRoute = {
  [Path in AppRoute]: (typeof table)[Path] extends { sidebar: object } ? Path : never;
}[AppRoute];

/**
 * The pages of the browser application; any other path returns 404. The server, the browser's router, the sidebar and
 * the tests of all pages read them here.
 */
export const appRoutes: Readonly<Record<AppRoute, AppPage>> = table;

/** The page of each post in the community. */
export const communityPostPage: AppPage & { path: string } = {
  path: '/community/posts/:id',
  access: 'public',
  title: 'Post',
  description: 'A post in the community of developers who build with Orange ID, with its replies.',
  below: '/community',
};

/** What users have reported; others than administrators see the page of an unknown path. */
export const communityReportsPage: AppPage & { path: string } = {
  path: '/community/reports',
  access: 'protected',
  title: 'Reports',
  description: 'Posts and replies that users have reported to the administrators.',
  below: '/community',
};

const postPath = /^\/community\/posts\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The page at a path; `undefined` if there is none. */
export const appPageAt = (path: string): AppPage | undefined =>
  Object.hasOwn(appRoutes, path)
    ? appRoutes[path as AppRoute]
    : path === communityReportsPage.path
      ? communityReportsPage
      : postPath.test(path)
        ? communityPostPage
        : undefined;

const siteName = 'Orange ID developer portal';

/** The document title: the page's title and the site's, or only the site's for the first page. */
export const documentTitle = (title: string | undefined): string =>
  title === undefined || title === appRoutes['/'].title ? siteName : `${title} · ${siteName}`;

export const notFoundTitle = 'Page Not Found';
