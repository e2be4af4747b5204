/** The texts and claims of the landing page. It claims only what the portal does; illustrations are labelled. */

export const hero = {
  title: 'Build, Launch, and Scale with Orange ID',
  help: 'Add sign-in with Google, Apple, email or a crypto wallet to your app. Each project gets one API key, and you see every call live.',
  start: 'Start Building',
  docs: 'Explore Docs',
  facts: [
    { figure: '2-5 minutes', label: 'Setup takes' },
    { figure: '99.7%', label: 'Uptime' },
    { figure: 'Free', label: 'To get started' },
  ],
  steps: [
    { title: 'Sign In via OAuth', help: 'Use Google, Apple, email or a wallet.' },
    { title: 'Get API Key', help: 'Name a project, add its URLs and copy its API key.' },
    {
      title: 'Deploy Widget',
      help: 'Add the login widget to your pages, and watch calls with your API key arrive live.',
    },
  ],
} as const;

export const what = {
  title: 'What is Orange ID',
  lead: 'Sign-in for your app, and the portal to manage it.',
  points: [
    {
      title: 'For your users',
      help: 'One widget with the sign-in methods they already use: Google, Apple, email or a crypto wallet.',
    },
    {
      title: 'For you',
      help: 'One portal for your projects, their API keys and allowed URLs, with a live log of every call.',
    },
    {
      title: 'For games',
      help: 'Your players use one account in your HTML5 game and on the tournament platform.',
    },
  ],
  guide: 'Connect an HTML5 game',
} as const;

export const why = {
  title: 'Why Orange ID',
  lead: 'Sign-in is the first thing your users see and the last thing you want to build.',
  setup: {
    title: 'Setup takes 2-5 minutes',
    help: 'Name your project, add its URLs and copy code that works.',
    progress: 'Wizard progress',
    steps: ['Name', 'URLs', 'Summary'],
  },
  users: {
    title: 'User-management dashboard',
    help: 'Your user profile, sign-in methods and active sessions, with your projects and API keys in one place. Free to get started.',
    rows: [
      ['User', '@acme'],
      ['Sign-in methods', 'Google, email'],
      ['Project', 'Acme'],
      ['API key', 'oid_4fGh••••••••f7g8'],
    ],
  },
  usage: {
    title: 'Usage analytics',
    help: 'Every call as it’s made, with its status and response time.',
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
  lead: 'Four steps to your first signed-in user.',
  steps: [
    { title: 'Sign In', help: 'Use Google, Apple, email or a wallet.' },
    { title: 'Get Key', help: 'Name your project, add its URLs and copy its API key.' },
    {
      title: 'Add Widget',
      help: 'Add one script tag or one package. The wizard fills in your project’s values.',
    },
    { title: 'Done', help: 'Your users can sign in, and calls with your API key show up within a second.' },
  ],
  wizard: 'Open the Wizard',
  projects: 'View My Projects',
  picture: 'The last step of the integration wizard: the API key for a new project and a command to try it.',
} as const;

export const panels = {
  widget: {
    title: 'Login widget',
    help: 'Put the script tag in a page, or the package in a React app: login widget, callback, your server’s check and sign-out. Replace YOUR_PROJECT_ID with your project’s ID; the wizard fills it in for you.',
    helpHosted:
      'Install the package and paste this in. It’s a complete app: login widget, callback and sign-out.',
    guide: 'See all the ways to add sign-in',
  },
  api: {
    title: 'API access',
    help: 'Replace YOUR_API_KEY with your project’s key and run this in a terminal. The call appears in Usage right away.',
    answer: 'Example response · 200 OK',
    illustrations: {
      title: 'Illustrations only, not part of this API',
      calls: ['GET /api/v1/users/profile', 'GET /users', 'POST /auth/login', 'PUT /users/profile'],
    },
  },
  docs: {
    title: 'Docs',
    help: 'Learn more and get help.',
    links: {
      docs: {
        title: 'Documentation',
        help: 'First call, authentication, every endpoint and the API Explorer.',
      },
      api: { title: 'API reference', help: 'Every endpoint, response and error.' },
      faq: { title: 'FAQ', help: 'Answers to common questions. Coming soon.' },
      feedback: { title: 'Feedback', help: 'Tell us what’s missing or broken.' },
    },
  },
} as const;

export const yours = {
  title: 'Make It Yours',
  lead: 'Give each project’s login widget your logo, colours, font and layout. A save shows on your site at its next load, without a new build.',
  open: 'Open Widget Customisation',
  tryIt: 'Try It Live',
  accent: 'Accent colour',
  radius: 'Corner radius',
  scheme: 'Colour mode',
  frame: 'Preview of the login widget',
  loading: 'Loading the preview…',
  failed: 'The preview didn’t load. Check your connection, then try again.',
  retry: 'Try again',
} as const;

export const growth = {
  title: 'See How Your App Is Used',
  lead: 'My Projects shows who signs in to your app: how many are new, how many return, and by which method, platform and region. Usage shows every call live.',
  open: 'View My Projects',
  mark: 'Illustration',
  note: 'An illustration with example figures. My Projects shows those of your own app.',
  region: 'Region',
  platform: 'Platform',
  users: 'Users',
  completed: 'Sign-ins completed',
  seconds: 'Average time to sign in',
  chart: 'Users by month',
} as const;

export const last = {
  title: 'Your First Sign-in Is Minutes Away',
  lead: 'Free to get started, with every sign‑in method included.',
  start: 'Start Building for Free',
  wizard: 'Try the Integration Wizard',
} as const;

export const usagePicture = {
  alt: 'The Usage page: total calls, errors, blocked calls, response times and a chart of calls over a day.',
  caption: 'The Usage page, with example calls',
} as const;
export const projectsPicture = 'My Projects: the API key for a project, its project ID and its allowed URLs.';
export const usersPicture = {
  alt: 'Users in My Projects: new and returning users, a chart of growth, and users by method, platform and region.',
  caption: 'Users in My Projects, with example people',
} as const;
export const configuratorPicture =
  'Widget Customisation: presets and colours beside a live preview of the login widget.';
