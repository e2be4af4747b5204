import { expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { copiedText } from '../../testing/clipboard';
import { config, openPortal } from '../../testing/open.portal';

/** Opens the landing page and waits until its code has loaded. */
async function openLanding() {
  const portal = openPortal('/', { as: 'visitor' });
  await screen.findByRole('heading', { level: 1, name: 'Build, Launch, and Scale with Orange ID' });
  return portal;
}
const section = (name: string) => screen.getByRole('region', { name });
const main = () => within(screen.getByRole('main'));
const panelHead = (name: string) => screen.getByRole('button', { name });
const panelBody = (name: string) => screen.queryByRole('region', { name });
const texts = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);
const headings = (place: HTMLElement, level: number) =>
  texts(within(place).getAllByRole('heading', { level }));

test('the landing page has its sections and their headings in order', async () => {
  await openLanding();
  expect(texts(screen.getAllByRole('heading', { level: 1 }))).toEqual([
    'Build, Launch, and Scale with Orange ID',
  ]);
  expect(headings(screen.getByRole('main'), 2)).toEqual([
    'Sign In via OAuth',
    'Get API Key',
    'Deploy Widget',
    'What is Orange ID',
    'Why Orange ID',
    'Integrate in Minutes',
    'Make It Yours',
    'See How Your App Is Used',
    'Your First Sign-in Is Minutes Away',
  ]);
  expect(headings(section('Why Orange ID'), 3)).toEqual([
    'Setup takes 2-5 minutes',
    'User-management dashboard',
    'Usage analytics',
    'RESTful APIs',
  ]);
  expect(headings(section('Integrate in Minutes'), 3)).toEqual([
    'Sign In',
    'Get Key',
    'Add Widget',
    'Done',
    'Login widget',
    'API access',
    'Docs',
  ]);
});

test('the landing page states the setup time, the uptime and the price, and labels examples', async () => {
  await openLanding();
  const hero = section('Build, Launch, and Scale with Orange ID');
  expect(texts(within(hero).getAllByRole('term'))).toEqual(['Setup takes', 'Uptime', 'To get started']);
  expect(texts(within(hero).getAllByRole('definition'))).toEqual(['2-5 minutes', '99.7%', 'Free']);
  const steps = within(hero).getByRole('list', { name: 'Three steps' });
  expect(within(steps).getAllByRole('listitem')).toHaveLength(3);
  expect(section('Why Orange ID')).not.toHaveTextContent(/region|platform|growth/);
  expect(section('Your First Sign-in Is Minutes Away')).toHaveTextContent('Free to get started');
  expect(section('Why Orange ID')).toHaveTextContent('Wizard progress0%Name50%URLs100%Summary');
  expect(screen.getByText('The Usage page, with example calls')).toBeInTheDocument();
  expect(within(section('Why Orange ID')).getAllByText('Example')).toHaveLength(3);
  expect(section('Why Orange ID')).toHaveTextContent(
    'Your user profile, sign-in methods and active sessions',
  );
});

test('the links of the landing page open the wizard, the projects, the guides and the sign-in page', async () => {
  const { user, address, goTo } = await openLanding();
  const targets = {
    'Start Building': '/orange-id',
    'Open the Wizard': '/orange-id',
    'Open Widget Customisation': '/customisation',
    'Start Building for Free': '/login',
    'Try the Integration Wizard': '/orange-id',
    'Connect an HTML5 game': '/games-sdk-integration-guide',
  };
  for (const [name, target] of Object.entries(targets)) {
    expect([name, main().getByRole('link', { name }).getAttribute('href')]).toEqual([name, target]);
  }
  // One link follows the four steps, the other follows the analytics.
  const projects = main().getAllByRole('link', { name: 'View My Projects' });
  expect(projects.map((link) => link.getAttribute('href'))).toEqual(['/projects', '/projects']);
  const explore = main().getByRole('link', { name: 'Explore Docs' });
  expect([explore.getAttribute('href'), explore.getAttribute('target')]).toEqual(['/docs', null]);

  await user.click(main().getByRole('link', { name: 'Start Building' }));
  await waitFor(() => expect(address()).toBe('/login'));
  await goTo('/');
  await user.click(await screen.findByRole('link', { name: 'Start Building for Free' }));
  await waitFor(() => expect(address()).toBe('/login'));
});

test('one panel of the landing page is open at a time, and clicking the open one closes it', async () => {
  const { user } = await openLanding();
  const names = ['Login widget', 'API access', 'Docs'];
  const expectOpen = (open: string | null) => {
    for (const name of names) {
      expect(panelHead(name)).toHaveAttribute('aria-expanded', String(name === open));
      if (name === open) expect(panelBody(name)).toBeVisible();
      else expect(panelBody(name)).not.toBeInTheDocument();
    }
  };
  expectOpen(null);
  for (const name of names) {
    await user.click(panelHead(name));
    expectOpen(name);
  }
  await user.click(panelHead('Docs'));
  expectOpen(null);
});

test('the panels of the landing page open and close by keyboard, and each button names its panel', async () => {
  const { user } = await openLanding();
  act(() => panelHead('Login widget').focus());
  await user.keyboard('{Enter}');
  const controlled = panelHead('Login widget').getAttribute('aria-controls');
  expect(panelBody('Login widget')).toHaveAttribute('id', String(controlled));
  await user.tab();
  expect(screen.getByRole('button', { name: 'Copy script tag' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Copy login widget' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('link', { name: 'See all the ways to add sign-in' })).toHaveFocus();
  await user.tab();
  expect(panelHead('API access')).toHaveFocus();
  await user.keyboard(' ');
  expect(panelBody('API access')).toBeVisible();
  expect(panelBody('Login widget')).not.toBeInTheDocument();
  await user.keyboard(' ');
  expect(panelBody('API access')).not.toBeInTheDocument();
});

test('one panel shows example calls labelled as illustrations, and another links to documentation', async () => {
  const { user } = await openLanding();
  await user.click(panelHead('API access'));
  const list = screen.getByRole('list', { name: 'Illustrations only, not part of this API' });
  expect(texts(within(list).getAllByRole('listitem'))).toEqual([
    'GET /api/v1/users/profile',
    'GET /users',
    'POST /auth/login',
    'PUT /users/profile',
  ]);

  await user.click(panelHead('Docs'));
  const links = within(section('Docs')).getAllByRole('link');
  expect(
    links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('target')]),
  ).toEqual([
    ['Documentation', '/docs', null],
    ['API reference', '/api', null],
    ['FAQ', '/faq', null],
    [expect.stringMatching(/^Feedback .*\(opens in a new tab\)$/), config.links.feedback, '_blank'],
  ]);
});

test('a snippet is copied unchanged, and its button says so for 2 seconds', async () => {
  jest.useFakeTimers();
  const { user } = await openLanding();
  await user.click(panelHead('API access'));
  await user.click(screen.getByRole('button', { name: 'Copy curl command' }));
  expect(await screen.findByRole('button', { name: 'Copied!' })).toBeInTheDocument();
  expect(await copiedText()).toBe("curl -H 'X-API-Key: YOUR_API_KEY' \\\n  'http://localhost/api/v1/key'");
  act(() => jest.advanceTimersByTime(1_900));
  expect(screen.getByRole('button', { name: 'Copied!' })).toBeInTheDocument();
  act(() => jest.advanceTimersByTime(200));
  expect(screen.queryByRole('button', { name: 'Copied!' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy curl command' })).toBeInTheDocument();
});

test('the example analytics follow the region and platform chosen by mouse or arrow keys', async () => {
  const { user } = await openLanding();
  const example = within(
    within(section('See How Your App Is Used')).getByRole('group', { name: 'Illustration' }),
  );
  expect(example.getByText('Illustration')).toBeInTheDocument();
  expect(example.getByText(/Usage measures API calls, not users\./)).toBeInTheDocument();
  const figures = () => texts(within(example.getByRole('status')).getAllByRole('definition'));
  expect(figures()).toEqual(['12.4K +13% in a month', '89%', '2.3s']);
  expect(texts(within(example.getByRole('status')).getAllByRole('term'))).toEqual([
    'Users',
    'Sign-ins completed',
    'Average time to sign in',
  ]);
  const table = example.getByRole('table', { name: 'Users by month' });
  const december = () => within(table).getAllByRole('row').at(-1);
  expect(december()).toHaveTextContent(/^Dec\s*12\.4K$/);

  const choose = (name: string) => user.click(example.getByRole('radio', { name }));
  await choose('Europe');
  expect(figures()).toEqual(['3.9K +12% in a month', '89%', '2.3s']);
  expect(december()).toHaveTextContent(/^Dec\s*3\.9K$/);
  await choose('iOS');
  expect(figures()).toEqual(['900 +12% in a month', '93%', '1.8s']);

  // Each filter is one tab stop, and the arrow keys choose.
  await user.keyboard('{ArrowRight}');
  expect(example.getByRole('radio', { name: 'Android' })).toBeChecked();
  expect(figures().at(-1)).toBe('2.3s');
  await user.tab({ shift: true });
  await user.keyboard('{ArrowLeft}');
  expect(example.getByRole('radio', { name: 'Americas' })).toBeChecked();
  expect(figures()).toEqual(['700 +11% in a month', '89%', '2.1s']);
  for (const name of ['Region', 'Platform']) {
    await user.click(within(example.getByRole('group', { name })).getByRole('radio', { name: 'All' }));
  }
  expect(figures()).toEqual(['12.4K +13% in a month', '89%', '2.3s']);
});

test('the preview of the login widget and its code follow the chosen sign-in methods', async () => {
  const { user } = await openLanding();
  const yours = within(section('Make It Yours'));
  const preview = yours.getByText('Preview').closest('figure');
  const code = yours.getByRole('group', { name: 'login widget props' });
  const untick = (name: string) => user.click(yours.getByRole('checkbox', { name }));
  expect(preview).toHaveTextContent('Continue with email');
  expect(code).toHaveTextContent('<LoginPanel title="Sign in to" />');
  await untick('Email');
  expect(preview).toHaveTextContent('Continue with Apple');
  await untick('Apple');
  expect(preview).not.toHaveTextContent('Continue with email');
  expect(preview).not.toHaveTextContent('Continue with Apple');
  expect(preview).toHaveTextContent('Continue with Google');
  expect(preview).toHaveTextContent('Connect Wallet');
  expect(code.textContent).toBe(
    '<LoginPanel\n  title="Sign in to"\n  features={{\n    enableAppleLogin: false,\n    enableEmailLogin: false,\n  }}\n/>',
  );
  for (const name of ['Google', 'Wallet']) await untick(name);
  expect(preview).toHaveTextContent('Choose at least one sign-in method.');
});
