import { expect, jest, test } from '@jest/globals';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { keepLinkingReturn, takeLinkingReturn } from '../api/account/linking.path';
import { json, network, silence, someone } from '../testing/network';
import { config, openPortal } from '../testing/open.portal';

const { links } = config;
const external = ' (opens in a new tab)';
const header = () => within(screen.getByRole('banner'));
const sidebar = () => screen.findByRole('complementary', { name: 'Sidebar' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const entry = (name: string) => screen.findByRole('menuitem', { name: new RegExp(`^${name}`) });
const menu = (name: string) => screen.queryByRole('menu', { name });

/** Text, URL and target of links or menu entries. */
const placesOf = (elements: HTMLElement[]) =>
  elements.map((element) => [
    (element.querySelector('.nav-menu_label') ?? element).textContent?.replace(/\s+/g, ' ').trim(),
    element.getAttribute('href'),
    element.getAttribute('target'),
  ]);
const entriesOf = async (name: string) => {
  const list = await screen.findByRole('menu', { name });
  return placesOf(within(list).getAllByRole('menuitem'));
};
const social = [
  ['Telegram', links.telegram],
  ['X', links.x],
  ['Discord', links.discord],
  ['News', links.news],
].map(([name, address]) => [`${name}${external}`, address, '_blank']);
const socialIn = (place: HTMLElement) =>
  within(within(place).getByRole('list', { name: 'Follow us' }))
    .getAllByRole('link')
    .map((link) => [link.getAttribute('aria-label'), link.getAttribute('href'), link.getAttribute('target')]);
const portalPages = [
  ['Home', '/', null],
  ['My Projects', '/projects', null],
  ['Orange ID', '/orange-id', null],
  ['Customisation', '/customisation', null],
  ['API Keys', '/keys', null],
  ['Usage', '/usage', null],
  ['Community', '/community', null],
];
const integration = [
  ['Orange ID', '/orange-id', null],
  ['API', '/api', null],
  ['Games SDK Guide', '/games-sdk-integration-guide', null],
];
const support = [
  ['FAQ Soon', '/faq', null],
  ['Docs', '/docs', null],
  [`Feedback${external}`, links.feedback, '_blank'],
];

/** Mocks the responses to a sign-out. */
const letSignOut = () =>
  network.use(
    http.post('/api/v1/auth/logout', () => new HttpResponse(null, { status: 204 })),
    http.delete('/api/auth/bedrock', () => new HttpResponse(null, { status: 204 })),
  );

test('the sidebar lists the portal’s pages in order, in two groups, and the current page is not a link', async () => {
  const { goTo } = openPortal('/faq');
  const nav = within(await sidebar()).getByRole('navigation', { name: 'Portal' });
  expect(placesOf(within(nav).getAllByRole('link'))).toEqual(portalPages);
  const developers = within(nav).getByRole('group', { name: 'Developers' });
  expect(placesOf(within(developers).getAllByRole('link'))).toEqual(portalPages.slice(4));
  expect(nav.querySelector('[aria-current]')).toBeNull();

  await goTo('/customisation');
  await waitFor(() => expect(nav.querySelector('[aria-current=page]')).toHaveTextContent('Customisation'));
  const names = [...nav.querySelectorAll('.sidebar_entry')].map(({ textContent }) => textContent);
  expect(names).toEqual(portalPages.map(([name]) => name));
  expect(placesOf(within(nav).getAllByRole('link'))).toEqual(
    portalPages.filter(([name]) => name !== 'Customisation'),
  );
});

test('the sidebar’s button names its action, works by keyboard, and keeps its state on the next page', async () => {
  const { user, machine, address } = openPortal('/faq');
  const toggle = within(await sidebar()).getByRole('button');
  expect(toggle).toHaveAccessibleName('Expand sidebar');
  expect(toggle).toHaveAttribute('aria-expanded', 'false');
  const layout = toggle.closest('[data-sidebar]');
  expect(layout).toHaveAttribute('data-sidebar', 'collapsed');
  act(() => toggle.focus());
  await user.keyboard('{Enter}');
  await machine('sidebar').is('expanded');
  expect(toggle).toHaveAccessibleName('Collapse sidebar');
  expect(toggle).toHaveAttribute('aria-expanded', 'true');
  expect(layout).toHaveAttribute('data-sidebar', 'expanded');
  expect(localStorage.getItem(storageKeys.sidebar)).toBe('open');

  for (const [name] of portalPages.slice(3).reverse()) {
    await user.tab({ shift: true });
    expect(within(await sidebar()).getByRole('link', { name: name as string })).toHaveFocus();
  }
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/customisation'));
  expect(
    screen.getByRole('navigation', { name: 'Portal' }).querySelector('[aria-current=page]'),
  ).toHaveTextContent('Customisation');
  expect(machine('sidebar').state()).toBe('expanded');
});

test.each([
  ['expanded on a wide screen', true, 'expanded'],
  ['collapsed on a narrower one', false, 'collapsed'],
])('a sidebar that was left open starts %s', async (_, isWide, state) => {
  localStorage.setItem(storageKeys.sidebar, 'open');
  const { matchMedia } = window;
  jest.spyOn(window, 'matchMedia').mockImplementation((media) => ({
    ...matchMedia(media),
    matches: media === '(min-width: 1200px)' && isWide,
  }));
  openPortal('/faq');
  expect((await sidebar()).closest('[data-sidebar]')).toHaveAttribute('data-sidebar', state);
});

test('a visitor’s header links to home and sign-in, and its two menus to their pages', async () => {
  const { user } = openPortal('/faq', { as: 'visitor' });
  expect(await header().findByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
  expect(header().getByRole('link', { name: 'Orange ID' })).toHaveAttribute('href', '/');
  expect(header().queryByRole('link', { name: 'My Projects' })).not.toBeInTheDocument();
  expect(header().queryByRole('button', { name: /^Account menu/ })).not.toBeInTheDocument();
  expect(screen.queryByRole('complementary', { name: 'Sidebar' })).not.toBeInTheDocument();
  expect(screen.getByRole('banner').closest('[data-sidebar]')).toHaveAttribute('data-sidebar', 'none');

  await user.click(button('Integration'));
  expect(await entriesOf('Integration')).toEqual(integration);
  await user.keyboard('{Escape}');
  await user.click(button('Support'));
  expect(await entriesOf('Support')).toEqual(support);
});

test('a visitor’s header is transparent until the page is scrolled', async () => {
  openPortal('/faq', { as: 'visitor' });
  await screen.findByText('Coming Soon');
  const scrollTo = (y: number) => {
    jest.replaceProperty(window, 'scrollY', y);
    fireEvent.scroll(window);
  };
  expect(screen.getByRole('banner')).toHaveAttribute('data-face', 'clear');
  scrollTo(1);
  await waitFor(() => expect(screen.getByRole('banner')).toHaveAttribute('data-face', 'scrolled'));
  scrollTo(0);
  await waitFor(() => expect(screen.getByRole('banner')).toHaveAttribute('data-face', 'clear'));
});

test('the header shows My Projects while the session is still being checked, as the sidebar does', async () => {
  network.use(http.get('/api/v1/auth/user', silence));
  const { machine } = openPortal('/faq');
  expect(await header().findByRole('link', { name: 'My Projects' })).toBeInTheDocument();
  expect(machine('session').state()).not.toMatch(/^signedIn/);
});

test('the header of a signed-in user shows My Projects and the account, and the account menu signs out', async () => {
  letSignOut();
  const { user, address } = openPortal('/faq');
  expect(await header().findByRole('link', { name: 'My Projects' })).toHaveAttribute('href', '/projects');
  expect(header().queryByRole('link', { name: 'Login' })).not.toBeInTheDocument();
  await user.click(await header().findByRole('button', { name: 'Account menu: Acme Developers' }));
  expect(await entriesOf('Account')).toEqual([
    ['Profile', '/profile', null],
    ['Settings', '/settings', null],
    ['Sign out', null, null],
  ]);
  expect(menu('Account')).toHaveTextContent(someone.email as string);
  await user.click(await entry('Sign out'));
  await waitFor(() => expect(address()).toBe('/login'));
  expect(localStorage.getItem(storageKeys.accessToken)).toBeNull();
});

test('the account menu works by keyboard: Enter opens it at the first entry, ArrowUp at the last, Escape closes it', async () => {
  letSignOut();
  const { user, address } = openPortal('/faq');
  const account = await screen.findByRole('button', { name: /^Account menu/ });
  act(() => account.focus());
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await entry('Profile')).toHaveFocus());
  await user.keyboard('{ArrowDown}');
  await waitFor(async () => expect(await entry('Settings')).toHaveFocus());
  await user.keyboard('{Escape}');
  expect(account).toHaveFocus();
  await waitFor(() => expect(menu('Account')).not.toBeInTheDocument());
  await user.keyboard('{ArrowUp}');
  await waitFor(async () => expect(await entry('Sign out')).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/login'));
});

test('the avatar shows the profile’s picture, otherwise its photoUrl, otherwise the default one', async () => {
  for (const [of, address] of [
    [{}, '/default-avatar.svg'],
    [{ photoUrl: '/favicon.svg' }, '/favicon.svg'],
    [{ picture: '/orange-id.svg', photoUrl: '/favicon.svg' }, '/orange-id.svg'],
  ] as const) {
    network.use(http.get('/api/v1/auth/user', () => json({ ...someone, ...of })));
    const { close } = openPortal('/faq');
    const account = await screen.findByRole('button', { name: /^Account menu/ });
    await waitFor(() => expect(account.querySelector('img')).toHaveAttribute('src', address));
    close();
  }
});

test('an avatar whose picture fails to load shows the first letter of the name or email, otherwise U', async () => {
  for (const [names, letter] of [
    [{ displayName: 'ada', firstName: 'Bea' }, 'A'],
    [{ displayName: '', firstName: 'bea' }, 'B'],
    [{ displayName: '', firstName: '', email: 'cleo@example.com' }, 'C'],
    [{ displayName: '', firstName: '', email: '' }, 'U'],
  ] as const) {
    const user: IdentityUser = { ...someone, picture: '/no-such-picture.png', ...names };
    network.use(http.get('/api/v1/auth/user', () => json(user)));
    const { close } = openPortal('/faq');
    const account = await screen.findByRole('button', { name: /^Account menu/ });
    await waitFor(() => expect(account.querySelector('img')).toHaveAttribute('src', user.picture));
    fireEvent.error(account.querySelector('img') as HTMLElement);
    expect(account.querySelector('.user-avatar_root')).toHaveTextContent(new RegExp(`^${letter}$`));
    close();
  }
});

test('a menu opens with Enter, Space and arrow keys, wraps with arrow keys, Home and End, and opens a page with Enter', async () => {
  const { user, address } = openPortal('/faq', { as: 'visitor' });
  const integration = await screen.findByRole('button', { name: 'Integration' });
  const focused = (name: string) => waitFor(async () => expect(await entry(name)).toHaveFocus());
  const closed = async () => {
    await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
    expect(integration).toHaveAttribute('aria-expanded', 'false');
  };
  for (const key of ['{Enter}', ' ', '{ArrowDown}']) {
    act(() => integration.focus());
    await user.keyboard(key);
    await focused('Orange ID');
    expect(integration).toHaveAttribute('aria-expanded', 'true');
    await user.keyboard('{Escape}');
    expect(integration).toHaveFocus();
    await closed();
  }
  for (const [key, name] of [
    ['{ArrowUp}', 'Games SDK Guide'],
    ['{Home}', 'Orange ID'],
    ['{ArrowDown}', 'API'],
    ['{End}', 'Games SDK Guide'],
    ['{ArrowDown}', 'Orange ID'],
    ['{ArrowUp}', 'Games SDK Guide'],
  ] as const) {
    await user.keyboard(key);
    await focused(name);
  }
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/games-sdk-integration-guide'));
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  await closed();
});

test('a menu that is reopened during its fade-out takes the focus, and Escape closes it', async () => {
  const styleOf = window.getComputedStyle;
  // jsdom runs no animations, so a menu with a closing animation stays mounted.
  jest.spyOn(window, 'getComputedStyle').mockImplementation((element) => {
    const animationName = { get: () => `menu-${element.getAttribute('data-state')}` };
    const style = styleOf(element);
    return element.matches('.nav-menu_root')
      ? Object.defineProperty(style, 'animationName', animationName)
      : style;
  });
  const { user } = openPortal('/faq', { as: 'visitor' });
  const integration = await screen.findByRole('button', { name: 'Integration' });
  act(() => integration.focus());
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await entry('Orange ID')).toHaveFocus());
  for (const [key, name] of [
    ['{Enter}', 'Orange ID'],
    ['{ArrowUp}', 'Games SDK Guide'],
    ['{ArrowDown}', 'Orange ID'],
  ] as const) {
    await user.keyboard(`{Escape}${key}`);
    await waitFor(async () => expect(await entry(name)).toHaveFocus());
    expect(integration).toHaveAttribute('aria-expanded', 'true');
  }
  await user.keyboard('{Escape}');
  expect(integration).toHaveFocus();
  expect(integration).toHaveAttribute('aria-expanded', 'false');
});

test('Tab and Shift+Tab close a menu and move on from its button', async () => {
  const { user } = openPortal('/faq', { as: 'visitor' });
  await screen.findByText('Coming Soon');
  for (const [shift, next] of [
    [true, 'Integration'],
    [false, 'Search'],
  ] as const) {
    act(() => button('Support').focus());
    await user.keyboard('{Enter}');
    await waitFor(async () => expect(await entry('FAQ')).toHaveFocus());
    await user.tab({ shift });
    expect(button(next)).toHaveFocus();
    await waitFor(() => expect(menu('Support')).not.toBeInTheDocument());
  }
});

test('menus open and close with the pointer, one at a time, and a click elsewhere or on an entry closes them', async () => {
  const { user, address } = openPortal('/faq', { as: 'visitor' });
  await screen.findByText('Coming Soon');
  const open = async (name: string) => {
    await user.click(button(name));
    expect(await screen.findByRole('menu', { name })).toBeVisible();
  };
  const closed = (name: string) => waitFor(() => expect(menu(name)).not.toBeInTheDocument());
  await open('Integration');
  await user.click(button('Integration'));
  await closed('Integration');
  await open('Integration');
  await open('Support');
  await closed('Integration');
  await user.click(screen.getByRole('main'));
  await closed('Support');
  await open('Integration');
  await user.click(await entry('Games SDK Guide'));
  await waitFor(() => expect(address()).toBe('/games-sdk-integration-guide'));
  await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
});

test('a menu finds its entries by the letters typed within a second', async () => {
  jest.useFakeTimers();
  const { user } = openPortal('/faq', { as: 'visitor' });
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  await pass(100);
  act(() => button('Support').focus());
  await user.keyboard('{Enter}');
  await pass(10);
  const focused = (name: string) =>
    expect(screen.getByRole('menuitem', { name: new RegExp(`^${name}`) })).toHaveFocus();
  focused('FAQ');

  await user.keyboard('f');
  await pass(10);
  focused('Feedback');
  // Within a second, 'fa' is searched; 'a' alone would find nothing.
  await pass(980);
  await user.keyboard('a');
  await pass(10);
  focused('FAQ');
  // A second after the last letter, the search starts again: 'd' is found, 'fad' would not be.
  await pass(990);
  await user.keyboard('d');
  await pass(10);
  focused('Docs');
});

test('the skip link moves the focus to the content', async () => {
  const { user } = openPortal('/faq', { as: 'visitor' });
  const skip = await screen.findByRole('link', { name: 'Skip to content' });
  await user.tab();
  expect(skip).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('main')).toHaveFocus();
});

test('the footer has three columns and the social links, and says which pages are not published yet', async () => {
  const { user, address } = openPortal('/faq', { as: 'visitor' });
  const footer = await screen.findByRole('contentinfo');
  expect(
    within(footer)
      .getAllByRole('heading')
      .map(({ textContent }) => textContent),
  ).toEqual(['Integration', 'Support', 'Legal']);
  const column = (name: string) => within(footer).getByRole('region', { name });
  const linksIn = (name: string) => placesOf(within(column(name)).getAllByRole('link'));
  expect(linksIn('Integration')).toEqual(integration);
  expect(linksIn('Support')).toEqual([...support, ['Community', '/community', null]]);
  expect(linksIn('Legal')).toEqual(
    ['Privacy', 'Terms', 'Cookie', 'Security', 'Status Page', 'Contact Us'].map((name) => [name, null, null]),
  );
  expect(column('Legal')).toHaveTextContent(/^LegalNot published yetPrivacy/);
  expect(socialIn(footer)).toEqual(social);

  const terms = within(footer).getByRole('link', { name: 'Terms' });
  expect(terms).toHaveAttribute('aria-disabled', 'true');
  await user.tab();
  act(() => terms.focus());
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Not published yet');
  await waitFor(() => expect(terms).toHaveAccessibleDescription('Not published yet'));
  await user.keyboard('{Enter}');
  await user.click(terms);
  expect(address()).toBe('/faq');
});

/** Opens the slide-in menu of narrow screens. */
async function openMobileMenu(path: string, as: 'developer' | 'visitor') {
  const portal = openPortal(path, { as });
  if (as === 'developer') await screen.findByRole('button', { name: /^Account menu/ });
  await portal.user.click(await screen.findByRole('button', { name: 'Open menu' }));
  await portal.machine('mobileMenu').is('open');
  const dialog = screen.getByRole('dialog', { name: 'Menu' });
  const linksIn = (group: string) => {
    const places = within(dialog)
      .getByRole('region', { name: group })
      .querySelectorAll<HTMLElement>('.mobile-menu_link');
    return placesOf([...places]);
  };
  return { ...portal, dialog, linksIn };
}

test('the mobile menu of a visitor has the header’s links, the social links and Login', async () => {
  const { dialog, linksIn } = await openMobileMenu('/faq', 'visitor');
  expect(linksIn('Integration')).toEqual([['Orange ID', null, null], ...integration.slice(1)]);
  expect(linksIn('Support')).toEqual(support);
  expect(socialIn(dialog)).toEqual(social);
  expect(within(dialog).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
  expect(within(dialog).queryByText('My Projects')).not.toBeInTheDocument();
});

test('the mobile menu of a signed-in user also has the links of the sidebar and the account, and signs out', async () => {
  letSignOut();
  const { user, dialog, linksIn, address } = await openMobileMenu('/faq', 'developer');
  expect(within(dialog).getByRole('link', { name: 'Home' })).toHaveFocus();
  expect(linksIn('Portal')).toEqual(portalPages.filter(([name]) => name !== 'Orange ID'));
  expect(linksIn('Integration')[0]).toEqual(['Orange ID', '/orange-id', null]);
  expect(linksIn('Account')).toEqual([
    ['Profile', '/profile', null],
    ['Settings', '/settings', null],
  ]);
  await user.click(within(dialog).getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(address()).toBe('/login'));
  expect(localStorage.getItem(storageKeys.accessToken)).toBeNull();
});

test('the mobile menu opens Orange ID for a signed-in user, and closes whenever the page changes', async () => {
  const { user, dialog, machine, address, goTo } = await openMobileMenu('/faq', 'developer');
  await user.click(within(dialog).getByRole('link', { name: 'Orange ID' }));
  await waitFor(() => expect(address()).toBe('/orange-id'));
  await machine('mobileMenu').is('closed');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Project name' })).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Open menu' }));
  await machine('mobileMenu').is('open');
  await goTo('/faq');
  await machine('mobileMenu').is('closed');
});

test('the mobile menu asks a visitor to sign in before Orange ID, and the dialog links to the sign-in page', async () => {
  const { user, dialog, machine, address } = await openMobileMenu('/faq', 'visitor');
  await user.click(within(dialog).getByRole('button', { name: 'Orange ID' }));
  await machine('signInDialog').is('open');
  await machine('mobileMenu').is('closed');
  const signIn = within(screen.getByRole('dialog', { name: 'Sign in to Orange ID' }));
  expect(
    signIn.getByText('Choose your preferred sign-in method to access your developer portal'),
  ).toBeVisible();
  for (const title of ['Google', 'Apple']) {
    expect(signIn.getByRole('button', { name: `Continue with ${title}` })).toBeEnabled();
  }
  expect(screen.getByRole('dialog')).toHaveTextContent(
    'By continuing, you agree to our Terms of Service and Privacy Policy.',
  );
  for (const name of ['Terms of Service', 'Privacy Policy']) {
    expect(signIn.getByRole('link', { name })).toHaveAttribute('aria-disabled', 'true');
  }
  await user.click(signIn.getByRole('link', { name: 'Use email or a wallet' }));
  await waitFor(() => expect(address()).toBe('/login'));
});

test('the sign-in dialog disables a provider that the portal does not offer, and says why', async () => {
  const { features } = config;
  const before = features.apple;
  Object.assign(features, { apple: false });
  try {
    const { user, dialog } = await openMobileMenu('/faq', 'visitor');
    await user.click(within(dialog).getByRole('button', { name: 'Orange ID' }));
    const signIn = within(screen.getByRole('dialog', { name: 'Sign in to Orange ID' }));
    const apple = signIn.getByRole('button', { name: 'Continue with Apple' });
    expect(apple).toBeDisabled();
    expect(apple).toHaveAccessibleDescription(
      'Apple sign-in isn’t available on this portal. Use email or a wallet instead.',
    );
    expect(signIn.getByRole('button', { name: 'Continue with Google' })).toBeEnabled();
  } finally {
    Object.assign(features, { apple: before });
  }
});

test('a sign-in from the dialog does not return to the sign-in methods that an earlier visit asked for', async () => {
  // jsdom logs that it can't navigate.
  jest.spyOn(console, 'error').mockImplementation(() => {});
  keepLinkingReturn(true);
  const { user, dialog, machine } = await openMobileMenu('/faq', 'visitor');
  await user.click(within(dialog).getByRole('button', { name: 'Orange ID' }));
  const signIn = within(screen.getByRole('dialog', { name: 'Sign in to Orange ID' }));
  await user.click(signIn.getByRole('button', { name: 'Continue with Google' }));
  await machine('signInDialog').is('leaving');
  expect(takeLinkingReturn()).toBe(false);
});
