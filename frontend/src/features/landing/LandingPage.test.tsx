import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { defaultAppearance } from '@orange-id/contract/appearance';
import { toConfigurator, type ToConfigurator } from '@orange-id/contract/configurator.protocol';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MessageChannel as NodeChannel } from 'node:worker_threads';
import { answerTimeoutMs } from '../../api/no.answer';
import { copiedText } from '../../testing/clipboard';
import { config, openPortal } from '../../testing/open.portal';

// The tests' own channel serves React's scheduler only.
const testChannel = globalThis.MessageChannel;
beforeAll(() => {
  globalThis.MessageChannel = NodeChannel as unknown as typeof MessageChannel;
});
afterAll(() => {
  globalThis.MessageChannel = testChannel;
});

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
  expect(example.getByText(/An illustration with example figures\./)).toBeInTheDocument();
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

/** Speaks for the frame of the preview, which jsdom does not load, and returns what the page sends it. */
async function answerPreview(frame: HTMLIFrameElement): Promise<{ heard: ToConfigurator[]; close(): void }> {
  const source = frame.contentWindow as Window;
  const ports: MessagePort[] = [];
  jest
    .spyOn(source, 'postMessage')
    .mockImplementation(
      ((_message: unknown, _origin: string, sent: MessagePort[]) => void ports.push(...sent)) as never,
    );
  const hello = { type: 'configurator.hello' };
  fireEvent(window, new MessageEvent('message', { source, origin: 'null', data: hello }));
  const [port] = ports as [MessagePort];
  const heard: ToConfigurator[] = [];
  port.onmessage = ({ data }) => heard.push(data as ToConfigurator);
  port.postMessage({ type: 'ready' });
  await waitFor(() => expect(heard).not.toEqual([]));
  return { heard, close: () => port.close() };
}

test('Make It Yours shows the configurator, and a press replaces the picture by the widget with three settings', async () => {
  const { user } = await openLanding();
  const yours = within(section('Make It Yours'));
  expect(yours.getAllByRole('img', { name: /^Widget Customisation: presets and colours/ })).toHaveLength(2);
  expect(yours.queryByTitle('Preview of the login widget')).not.toBeInTheDocument();
  await user.click(yours.getByRole('button', { name: 'Try It Live' }));
  expect(await yours.findByRole('radio', { name: 'Orange' })).toHaveFocus();
  expect(yours.queryByRole('img')).not.toBeInTheDocument();
  expect(yours.getByRole('link', { name: 'Open Widget Customisation' })).toBeVisible();

  const frame = yours.getByTitle<HTMLIFrameElement>('Preview of the login widget');
  expect(frame.getAttribute('src')).toBe('/widget/configurator/preview');
  expect(frame).toHaveAttribute('sandbox', 'allow-scripts');
  const { heard, close } = await answerPreview(frame);
  try {
    expect(heard).toEqual([{ type: 'preview', appearance: defaultAppearance, scheme: 'light' }]);
    expect(yours.queryByText('Loading the preview…')).not.toBeInTheDocument();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    fireEvent.change(yours.getByRole('slider', { name: 'Corner radius' }), { target: { value: '20' } });
    await user.click(yours.getByRole('radio', { name: 'Dark' }));
    const ocean = { accent: '#6CB2FF', buttonText: '#06182B' };
    await waitFor(() => expect(heard.at(-1)).toMatchObject({ scheme: 'dark', appearance: { radius: 20 } }));
    expect(heard.at(-1)).toMatchObject({ appearance: { colours: { dark: ocean } } });
    for (const message of heard) expect(toConfigurator.safeParse(message).error).toBeUndefined();
  } finally {
    close();
  }
});

test('a preview that does not load says so, and loads again on a press', async () => {
  jest.useFakeTimers();
  const { user } = await openLanding();
  const yours = within(section('Make It Yours'));
  await user.click(yours.getByRole('button', { name: 'Try It Live' }));
  const first = await yours.findByTitle('Preview of the login widget');
  act(() => jest.advanceTimersByTime(answerTimeoutMs));
  expect(yours.getByRole('alert')).toHaveTextContent('The preview didn’t load.');
  await user.click(yours.getByRole('button', { name: 'Try again' }));
  expect(yours.queryByRole('alert')).not.toBeInTheDocument();
  expect(yours.getByText('Loading the preview…')).toBeInTheDocument();
  expect(yours.getByTitle('Preview of the login widget')).not.toBe(first);
});
