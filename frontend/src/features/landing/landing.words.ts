/** The words and claims of the landing page (spec §1 and §2). */

export interface Fact {
  figure: string;
  label: string;
}

export const hero = {
  title: 'Build, Launch, and Scale with Orange ID',
  help: 'Sign-in with Google, Apple, email or a crypto wallet for your own app. One API key per project, and every call in view the moment it is made.',
  start: 'Start Building',
  docs: 'Explore Docs',
  facts: [
    { figure: '2-5 minutes', label: 'Setup takes' },
    { figure: '99.7%', label: 'Uptime' },
    { figure: 'Free', label: 'To get started' },
  ] satisfies Fact[],
  steps: [
    { title: 'Sign In via OAuth', help: 'Google, Apple, email or a wallet. The account you have is enough.' },
    { title: 'Get API Key', help: 'Name a project, list the domains it runs on, copy its key.' },
    { title: 'Deploy Widget', help: 'Add the login widget to your pages and watch the calls arrive.' },
  ],
} as const;

export const what = {
  title: 'What is Orange ID',
  lead: 'The login of your app, and the place where you look after it.',
  points: [
    {
      title: 'For the people who use your app',
      help: 'One widget with the ways to sign in they already have: Google, Apple, email, or a crypto wallet that signs a message.',
    },
    {
      title: 'For you',
      help: 'One portal for your projects: their API keys, the domains allowed to use them, and a log of every call that is made with them.',
    },
    {
      title: 'For games too',
      help: 'The same account connects an HTML5 game to a tournament platform.',
    },
  ],
  guide: 'Read the Games SDK Guide',
} as const;

export const why = {
  title: 'Why Orange ID',
  lead: 'Sign-in is the first thing your users meet and the last thing you want to build.',
  setup: {
    title: 'Setup takes 2-5 minutes',
    help: 'A name, a domain, a key. The wizard has three steps and the third is already code.',
    steps: ['Name', 'URLs', 'Summary'],
  },
  users: {
    title: 'User-management dashboard',
    help: 'Projects, keys, domains and the people behind them in one place, with free access to get started.',
    rows: [
      ['Project', 'Acme'],
      ['Project id', 'orange-k3x9p2m7qa'],
      ['Domain', 'https://app.example.org'],
      ['API key', 'oid_4fGh••••••••••••'],
    ],
  },
  usage: {
    title: 'Usage analytics',
    help: 'Every call as it is made, with its status and its time, and user growth by region and platform.',
    rows: [
      { call: 'GET /api/v1/key', status: '200', time: '3 ms' },
      { call: 'GET /api/v1/wallet/balance', status: '200', time: '41 ms' },
      { call: 'GET /api/v1/wallet/balance', status: '400', time: '2 ms' },
      { call: 'GET /api/v1/key', status: '200', time: '3 ms' },
    ],
  },
  api: {
    title: 'RESTful APIs',
    help: 'Plain HTTP and JSON, one header for the key, and errors that say what to do.',
  },
  example: 'Example',
} as const;

export const integrate = {
  title: 'Integrate in Minutes',
  lead: 'From an empty page to a first signed-in user in four steps.',
  steps: [
    { title: 'Sign In', help: 'With Google, Apple, email or a wallet.' },
    { title: 'Get Key', help: 'Name your project, add its domains, and copy its API key.' },
    { title: 'Add Widget', help: 'Install one package and put the login panel on a page.' },
    { title: 'Done', help: 'The portal shows your first call within a second of its being made.' },
  ],
  wizard: 'Open the Wizard',
  projects: 'View My Projects',
  picture: 'The last step of the integration wizard: the API key of a new project and a command to try it.',
} as const;

export const panels = {
  widget: {
    title: 'Login widget',
    help: 'Install the package, then use this as your app. It is a whole one: panel, callback and signing out.',
    note: 'The identity service leads back to registered addresses only. On a portal you run yourself, list yours in IDENTITY_CALLBACKS.',
  },
  api: {
    title: 'API access',
    help: 'Put the key of a project in place of YOUR_API_KEY and paste this into a terminal. The call appears in Usage at once.',
    answer: 'Example answer · 200 OK',
    illustrations: {
      title: 'Illustrations of calls to your own users, not part of this API',
      calls: ['GET /api/v1/users/profile', 'GET /users', 'POST /auth/login', 'PUT /users/profile'],
    },
  },
  docs: {
    title: 'Docs',
    help: 'Where to read on, and whom to ask.',
    links: {
      docs: { title: 'Documentation', help: 'The package, its props and its hooks.' },
      api: { title: 'API reference', help: 'Every call, its answers and its errors.' },
      faq: { title: 'FAQ', help: 'Questions that others had.' },
      feedback: { title: 'Feedback', help: 'Say what is missing or wrong.' },
    },
  },
} as const;

export const yours = {
  title: 'Make It Yours',
  lead: 'Logos, colours, fonts and layout of the widget are set in the configurator. Which ways to sign in it offers is one prop: try it.',
  open: 'Open the Configurator',
  legend: 'Ways to sign in',
  preview: 'Preview',
  none: 'Choose at least one way to sign in.',
} as const;

export const growth = {
  title: 'See Your Users Grow',
  lead: 'Who signs in, from where and on what. Filter by region and platform, and every figure follows.',
  open: 'View Your Projects',
  mark: 'Example data',
  region: 'Region',
  platform: 'Platform',
  users: 'Users',
  completed: 'Sign-ins completed',
  seconds: 'Average time to sign in',
  chart: 'Users by month',
} as const;

export const last = {
  title: 'Your first sign-in is minutes away',
  lead: 'Free to get started, with every way to sign in and every call in view.',
  start: 'Start Building for Free',
  wizard: 'Try the Integration Wizard',
} as const;

export const usagePicture = {
  alt: 'The Usage page of the portal: how many calls there were, how many failed or were blocked, how long they took, and a chart of the calls over a day.',
  caption: 'The Usage page, with example calls',
} as const;
export const projectsPicture =
  'My Projects in the portal: the API key of a project, its project id and the domains that may use it.';
