import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { SignInMethod, VersionInfo } from '@orange-id/contract/identity.schema';
import type { RewardAnswer } from '@orange-id/contract/rewards.schema';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { json, network, refusal, silence } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const method = (provider: SignInMethod['provider'], label: string): SignInMethod => ({
  id: `${provider}-1`,
  provider,
  label,
  isVerified: provider !== 'email',
  linkedAt: '2026-01-02T03:04:05.000Z',
});
const email = method('email', 'ada@example.com');
const wallet = method('wallet', '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e');
const version: VersionInfo = { cssUrl: '/widget/passport.css', cdnUrl: '/widget/passport.js' };

interface StubProps {
  features: Record<string, boolean>;
  purpose: string;
  title: string;
  walletButtonText: string;
  begin?: string;
  email?: string;
  onProven?: () => void;
}
/** The methods that the page offers to add. The panel is mocked as three lines of text. */
let offered: Record<string, boolean> = {};
/** The panel's purpose, the method that it starts with and the email that it shows. */
let shown: { purpose?: string; begin?: string; email?: string } = {};
let prove: () => void = () => undefined;
const head = new MutationObserver((records) => {
  // jsdom loads neither the panel's stylesheet nor its script.
  for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (node instanceof HTMLScriptElement) {
      Object.assign(window, {
        Bedrock: {
          BedrockPassportProvider: ({ children }: { children: unknown }) => children,
          LoginPanel: ({ features, purpose, title, walletButtonText, begin, email, onProven }: StubProps) => {
            offered = features;
            shown = { purpose, ...(begin ? { begin } : {}), ...(email ? { email } : {}) };
            prove = () => onProven?.();
            return (
              <>
                <p>The panel</p>
                <h2>{title}</h2>
                <p>{walletButtonText}</p>
              </>
            );
          },
        },
      });
    }
    if (node instanceof HTMLElement) node.dispatchEvent(new Event('load'));
  }
});
beforeEach(() => head.observe(document.head, { childList: true }));
afterEach(() => {
  offered = {};
  shown = {};
  sessionStorage.clear();
  Reflect.deleteProperty(window, 'Bedrock');
});

/** The account has these methods; removals change them. */
function serveMethods(...methods: SignInMethod[]) {
  let left = methods;
  network.use(
    http.get('/api/v1/settings/version', () => json(version)),
    http.get('/api/v1/auth/proof', () => json({ provenUntil: '2100-01-01T00:00:00.000Z' })),
    http.get('/api/v1/auth/identifiers', () => json(left)),
    http.get('/api/reward/profile', () =>
      json({ rank: 'Observer', rankImage: '/o.svg', experiencePoints: 0 } satisfies RewardAnswer),
    ),
    http.delete('/api/v1/auth/identifiers/:id', ({ params }) => {
      left = left.filter(({ id }) => id !== params['id']);
      return new HttpResponse(null, { status: 204 });
    }),
  );
}

/** Opens the page of an account with these methods. */
function openMethods(...methods: SignInMethod[]) {
  serveMethods(...methods);
  return openPortal('/login?from=profile');
}

const list = () => screen.findByRole('list', { name: 'Your sign-in methods' });
const rows = async () => within(await list()).getAllByRole('listitem');
const dialog = () => screen.findByRole('dialog');

test('the sign-in methods show a skeleton while loading, and Retry loads them after a failure', async () => {
  let answer!: (response: Response) => void;
  const { user } = openMethods(email);
  network.use(http.get('/api/v1/auth/identifiers', () => new Promise<Response>((give) => (answer = give))));
  expect(await screen.findByRole('heading', { name: 'Your sign-in methods', level: 1 })).toBeInTheDocument();
  expect(screen.getAllByRole('status', { name: 'Loading' })[0]).toBeInTheDocument();
  await waitFor(() => expect(answer).toBeDefined());
  answer(refusal(503, 'Not now'));
  expect(await screen.findByText('Failed to load your sign-in methods')).toBeInTheDocument();
  expect(
    screen.getByText('The service is unavailable right now. Try again in a minute.'),
  ).toBeInTheDocument();
  network.use(http.get('/api/v1/auth/identifiers', () => json([email])));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await rows()).toHaveLength(1);
});

test('an account that another service manages, without a method known here, shows an explanation', async () => {
  openMethods();
  network.use(http.get('/api/v1/auth/identifiers', () => refusal(404, 'Not found')));
  expect(await screen.findByText('No sign-in methods to show')).toBeInTheDocument();
  expect(
    screen.getByText('Another service manages your account. You can still connect a sign-in method here.'),
  ).toBeInTheDocument();
});

test('a browser that can’t be bound shows an error, and Retry binds it and finds its fresh proof', async () => {
  const { user, machine } = openMethods(email);
  network.use(
    http.put('/api/auth/bedrock', () => refusal(503, 'Not now')),
    // The service finds no proof for an unbound browser.
    http.get('/api/v1/auth/proof', () => json({ provenUntil: null })),
  );
  await machine('browserBinding').is('unbound');
  expect(await screen.findByText('Your sign-in methods can’t be changed right now')).toBeInTheDocument();
  expect(screen.queryByText('The panel')).not.toBeInTheDocument();
  expect(
    screen.getByText('The service is unavailable right now. Try again in a minute.'),
  ).toBeInTheDocument();
  network.use(
    http.put('/api/auth/bedrock', () => new HttpResponse(null, { status: 204 })),
    http.get('/api/v1/auth/proof', () => json({ provenUntil: '2100-01-01T00:00:00.000Z' })),
  );
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await machine('browserBinding').is('bound');
  await machine('freshProof').is('fresh');
  expect(screen.queryByText('Confirm it’s you to change your sign-in methods')).not.toBeInTheDocument();
  expect(screen.queryByText('Your sign-in methods can’t be changed right now')).not.toBeInTheDocument();
});

test('a browser that can’t be bound shows no error before the sign-in methods are known', async () => {
  let send: (answer: Response) => void = () => undefined;
  serveMethods(email);
  network.use(
    http.get('/api/v1/auth/identifiers', () => new Promise<Response>((resolve) => (send = resolve))),
    http.put('/api/auth/bedrock', () => refusal(503, 'Not now')),
  );
  const { machine } = openPortal('/login?from=profile');
  await machine('browserBinding').is('unbound');
  const place = document.querySelector<HTMLElement>('[data-machine="browserBinding"]')!;
  expect(within(place).getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  expect(within(place).queryByRole('alert')).not.toBeInTheDocument();
  send(json([email]));
  expect(await within(place).findByRole('alert')).toHaveTextContent(
    'Your sign-in methods can’t be changed right now',
  );
  expect(within(place).queryByRole('status', { name: 'Loading' })).not.toBeInTheDocument();
});

test('an outage shows one error with one Retry, which loads the list and the panel', async () => {
  const { user } = openMethods(email);
  network.use(
    http.get('/api/v1/auth/identifiers', () => HttpResponse.error()),
    http.put('/api/auth/bedrock', () => HttpResponse.error()),
    http.get('/api/v1/settings/version', () => HttpResponse.error()),
  );
  await screen.findByText('Failed to load your sign-in methods');
  const alert = screen.getByRole('alert');
  expect(screen.queryByRole('status', { name: 'Loading' })).not.toBeInTheDocument();
  network.use(
    http.get('/api/v1/auth/identifiers', () => json([email])),
    http.put('/api/auth/bedrock', () => new HttpResponse(null, { status: 204 })),
    http.get('/api/v1/settings/version', () => json(version)),
  );
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(await rows()).toHaveLength(1);
  expect(await screen.findByText('The panel')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

const noProof = () => json({ provenUntil: null });

test.each([
  ['connect an email', 'email'],
  ['connect a wallet', 'wallet'],
  ['connect Google', 'google'],
  ['connect Apple', 'apple'],
  ['continue', undefined],
])('a user who signed in too long ago is asked to confirm the account to %s', async (aim, add) => {
  const { goTo } = openMethods(method('google', 'ada@example.com'));
  network.use(http.get('/api/v1/auth/proof', noProof));
  // The page reads the request when it opens.
  await goTo('/faq');
  await goTo('/login?from=profile', { add });
  expect(await screen.findByText('Confirm it’s you to change your sign-in methods')).toBeInTheDocument();
  expect(
    screen.getByText(
      `You signed in more than 5 minutes ago. Confirm with one of your sign-in methods to ${aim}.`,
    ),
  ).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'Confirm it’s you' })).toBeInTheDocument();
  expect(screen.getByText('Sign with wallet')).toBeInTheDocument();
});

test('a user who comes from Settings has a link back to it', async () => {
  const { goTo } = openMethods(email);
  await goTo('/faq');
  await goTo('/login?from=profile', { from: '/settings' });
  await screen.findByRole('heading', { name: 'Your sign-in methods', level: 1 });
  const back = screen.getByRole('link', { name: 'Back to Settings' });
  expect(back).toHaveAttribute('href', '/settings');
});

test('a user who comes to delete the account is led back to the deletion once they have confirmed', async () => {
  const { goTo, machine, address } = openMethods(email);
  network.use(http.get('/api/v1/auth/proof', noProof));
  network.use(
    http.get('/api/v1/auth/changes', () => json([])),
    http.get('/api/v1/auth/sessions', () => json([])),
  );
  await goTo('/faq');
  await goTo('/login?from=profile', { from: '/settings', confirm: 'deletion' });
  expect(await screen.findByText('Confirm it’s you to delete your account')).toBeInTheDocument();
  await waitFor(() => expect(shown.purpose).toBe('prove'));
  network.use(http.get('/api/v1/auth/proof', () => json({ provenUntil: '2100-01-01T00:00:00.000Z' })));
  act(prove);
  await waitFor(() => expect(address()).toBe('/settings'));
  await machine('deleteAccount').is('confirming');
});

test('a user who comes to delete the account is led back at once if this browser only had to be bound', async () => {
  const { goTo, machine, address } = openMethods(email);
  network.use(
    http.get('/api/v1/auth/changes', () => json([])),
    http.get('/api/v1/auth/sessions', () => json([])),
  );
  await goTo('/faq');
  await goTo('/login?from=profile', { from: '/settings', confirm: 'deletion' });
  await waitFor(() => expect(address()).toBe('/settings'));
  await machine('deleteAccount').is('confirming');
});

test('the page starts with the method chosen on the profile once the user has confirmed with the password', async () => {
  const { user, machine } = openMethods(email);
  network.use(http.get('/api/v1/auth/proof', noProof));
  await user.click(await screen.findByRole('link', { name: 'Back to your profile' }));
  await user.click(await screen.findByRole('link', { name: 'Connect Google' }));
  await machine('freshProof').is('stale');
  expect(
    await screen.findByText(/Confirm with one of your sign-in methods to connect Google\.$/),
  ).toBeInTheDocument();
  await waitFor(() => expect(shown).toEqual({ purpose: 'prove', begin: 'email', email: 'ada@example.com' }));
  act(prove);
  await waitFor(() => expect(shown).toEqual({ purpose: 'link', begin: 'google' }));
  expect(sessionStorage.getItem('portal-linking-method')).toBeNull();
});

test('the method to add is kept while the user confirms with Google, and the page starts with it once', async () => {
  sessionStorage.setItem('portal-linking-method', 'wallet');
  const { user, machine, goBack } = openMethods(method('google', 'ada@example.com'));
  await machine('freshProof').is('fresh');
  await waitFor(() => expect(shown).toEqual({ purpose: 'link', begin: 'wallet' }));
  await user.click(await screen.findByRole('link', { name: 'Back to your profile' }));
  await screen.findByRole('link', { name: 'Connect Apple' });
  shown = {};
  await goBack();
  await waitFor(() => expect(shown).toEqual({ purpose: 'link' }));
});

test('no method is preselected to confirm an account with several, and the method to add is kept for the tab', async () => {
  const { user, machine } = openMethods(email, method('google', 'ada@example.com'));
  network.use(http.get('/api/v1/auth/proof', noProof));
  await user.click(await screen.findByRole('link', { name: 'Back to your profile' }));
  await user.click(await screen.findByRole('link', { name: 'Connect Apple' }));
  await machine('freshProof').is('stale');
  await waitFor(() => expect(shown).toEqual({ purpose: 'prove', email: 'ada@example.com' }));
  // Google's page replaces this one, so the method is stored for the tab.
  await waitFor(() => expect(sessionStorage.getItem('portal-linking-method')).toBe('apple'));
});

test('a user who entered a wallet on the profile is asked to confirm the account before signing with the wallet', async () => {
  const { user, machine } = openMethods(email, wallet);
  network.use(http.get('/api/v1/auth/proof', noProof));
  await user.click(await screen.findByRole('link', { name: 'Back to your profile' }));
  await user.click(await screen.findByRole('button', { name: /^Edit wallet/ }));
  const address = screen.getByRole('textbox', { name: 'Wallet address' });
  shown = {};
  await user.clear(address);
  await user.paste('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  // The form isn't submitted: if a submit navigates, React reads the form with `FormData`, which accepts no jsdom form
  // here.
  machine('walletEdit').send({ type: 'edit.confirm' });
  await machine('freshProof').is('stale');
  const note = await screen.findByRole('note');
  expect(note).toHaveTextContent('Connect 0x5aAeb...Ef1BeAed');
  expect(note).toHaveTextContent(
    'First confirm it’s you with a sign-in method you already have. Then choose Connect Wallet and sign a message with this wallet to add it.',
  );
  await waitFor(() => expect(shown.purpose).toBe('prove'));
  act(prove);
  await waitFor(() => expect(shown.purpose).toBe('link'));
  expect(note).not.toHaveTextContent('First confirm');
  expect(
    within(note).getByText(
      'Choose Connect Wallet and sign a message with this wallet to add it to your account. If it replaces another wallet, remove that one afterwards.',
    ),
  ).toBeInTheDocument();
});

test('a browser whose session is rejected is asked to sign in again, without a Retry button', async () => {
  const { machine } = openMethods(email);
  network.use(http.put('/api/auth/bedrock', () => refusal(401, 'Unknown')));
  await machine('browserBinding').is('unbound');
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('Your sign-in methods can’t be changed right now')).toBeInTheDocument();
  expect(
    within(alert).getByText(
      'We can’t verify this browser’s session. Sign out, sign in again, then come back.',
    ),
  ).toBeInTheDocument();
  expect(within(alert).queryByRole('button')).not.toBeInTheDocument();
});

test.each([
  ['the sign-in page', '/login', 'Sign in to'],
  ['the page that adds a method', '/login?from=profile', 'Connect a sign-in method'],
])('the panel of %s has a title and a button for wallets', async (_, path, title) => {
  serveMethods(email);
  openPortal(path, { as: path === '/login' ? 'visitor' : 'developer' });
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  expect(screen.getByText('Connect Wallet')).toBeInTheDocument();
});

test('a login widget that can’t be loaded shows an error, and Retry loads it', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  network.use(http.get('/api/v1/settings/version', () => HttpResponse.error()));
  const { user } = openPortal('/login', { as: 'visitor' });
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('Failed to load the login widget')).toBeInTheDocument();
  expect(
    within(alert).getByText('The identity service isn’t responding. Check your connection and try again.'),
  ).toBeInTheDocument();
  network.use(http.get('/api/v1/settings/version', () => json(version)));
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('The panel')).toBeInTheDocument();
});

test('a login widget that is slow to load says so after 15 seconds', async () => {
  jest.useFakeTimers({ now: Date.now() });
  // Without this, the widget's script loads at once.
  head.disconnect();
  network.use(
    http.get('/api/v1/settings/version', () => json({ cssUrl: '/slow/panel.css', cdnUrl: '/slow/panel.js' })),
  );
  const { machine } = openPortal('/login', { as: 'visitor' });
  await machine('passport').is('loadingAssets');
  await act(() => jest.advanceTimersByTimeAsync(15_000));
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('The login widget is slow to load')).toBeInTheDocument();
  expect(
    within(alert).getByText('This is taking longer than 15 seconds. It appears here as soon as it loads.'),
  ).toBeInTheDocument();
});

test.each([
  ['the sign-in page', '/login', { enableEmailLogin: true }],
  ['the page that adds a method', '/login?from=profile', { enableEmailLogin: false }],
])('%s offers only the methods that the portal is configured for', async (_, path, more) => {
  serveMethods(email);
  openPortal(path, { as: path === '/login' ? 'visitor' : 'developer', features: { google: false } });
  const expected = { enableGoogleLogin: false, enableAppleLogin: true, enableWalletConnect: true };
  await waitFor(() => expect(offered).toEqual({ ...expected, ...more }));
});

test('the last method can’t be removed, and its row explains why', async () => {
  openMethods(email);
  const [row] = await rows();
  expect(row).toHaveTextContent('ada@example.com');
  expect(row).toHaveTextContent('Not confirmed');
  expect(row).toHaveTextContent('Your only sign-in method. To remove it, add another one first.');
  expect(within(row!).queryByRole('button')).not.toBeInTheDocument();
});

test.each<[provider: SignInMethod['provider'], label: string, title: string]>([
  ['email', 'ada@example.com', 'Your email and password are your only sign-in method'],
  ['wallet', wallet.label, 'This wallet is your only sign-in method'],
  ['google', 'ada@example.com', 'This Google account is your only sign-in method'],
  ['apple', 'ada@example.com', 'This Apple account is your only sign-in method'],
])('asked to remove the last method, the page explains why it can’t: %s', async (provider, label, title) => {
  const { goTo } = openMethods(method(provider, label));
  // The page reads the request when it opens.
  await goTo('/faq');
  await goTo('/login?from=profile', { remove: { provider, label } });
  expect(await screen.findByText(title)).toBeInTheDocument();
  expect(screen.getByText('Add another one before you remove it.')).toBeInTheDocument();
});

test.each([
  ['wallet', wallet.label, 'Remove wallet', 'the wallet 0xA0Cf7...382f251e'],
  ['google', 'ada@example.com', 'Remove Google account', 'the Google account ada@example.com'],
  ['apple', 'ada@example.com', 'Remove Apple account', 'the Apple account ada@example.com'],
] as const)('the dialog that removes a method says which one: %s', async (provider, label, title, phrase) => {
  const { user } = openMethods(method(provider, label), email);
  const [first] = await rows();
  await user.click(within(first!).getByRole('button', { name: /^Remove / }));
  expect(await dialog()).toHaveAccessibleName(title);
  expect(within(await dialog()).getByRole('button', { name: title })).toBeInTheDocument();
  expect(
    within(await dialog()).getByText(
      `You won’t be able to sign in with ${phrase}. Other sessions started with it will end.`,
    ),
  ).toBeInTheDocument();
});

test('asked to remove a method, the page opens the dialog once', async () => {
  const google = method('google', 'ada@example.com');
  const { user, goTo, machine } = openMethods(email, wallet, google);
  // The page reads the request when it opens.
  await goTo('/faq');
  await goTo('/login?from=profile', { remove: { provider: 'wallet', label: wallet.label.toLowerCase() } });
  expect(await dialog()).toHaveAccessibleName('Remove wallet');
  await user.keyboard('{Escape}');
  await machine('unlink').is('closed');

  // The list loads again after another removal, with changes made elsewhere.
  serveMethods({ ...email, isVerified: true }, { ...wallet, linkedAt: '2026-02-02T03:04:05.000Z' }, google);
  await user.click(screen.getByRole('button', { name: /^Remove Google/ }));
  await user.click(within(await dialog()).getByRole('button', { name: 'Remove Google account' }));
  await waitFor(() => expect(screen.queryByText('Not confirmed')).not.toBeInTheDocument());
  expect(machine('unlink').state()).toBe('succeeded');
});

test('a removed email can be added again, and a toast names it', async () => {
  const { user, machine } = openMethods(email, wallet);
  const [first, second] = await rows();
  expect(second).toHaveTextContent('0xA0Cf7...382f251e');
  await machine('passport').is('ready');
  await waitFor(() => expect(offered).toMatchObject({ enableEmailLogin: false, enableWalletConnect: true }));
  await user.click(within(first!).getByRole('button', { name: /^Remove / }));
  const cancel = within(await dialog()).getByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(cancel).toHaveFocus());
  expect(await dialog()).toHaveTextContent(
    'You won’t be able to sign in with your email ada@example.com and password. Other sessions started with it will end.',
  );
  await user.click(within(await dialog()).getByRole('button', { name: 'Remove email sign-in' }));
  await machine('unlink').is('succeeded');
  expect((await screen.findAllByText('Sign-in Method Removed'))[0]).toBeInTheDocument();
  expect(
    screen.getAllByText('You can no longer sign in with your email ada@example.com and password.')[0],
  ).toBeInTheDocument();
  await waitFor(() => expect(offered).toMatchObject({ enableEmailLogin: true }));
  const left = await rows();
  expect(left).toHaveLength(1);
  expect(left[0]).toHaveTextContent('Wallet');
  await waitFor(async () => expect(await list()).toHaveFocus());
});

test('a rejected removal shows its error in the dialog, which stays open', async () => {
  const { user, machine } = openMethods(email, wallet);
  const [first] = await rows();
  const remove = within(first!).getByRole('button', { name: /^Remove / });
  await user.click(remove);
  for (const [status, code, sentence] of [
    [409, 'auth.lastMethod', 'This is your only sign-in method. Add another one before you remove it.'],
    [
      404,
      'auth.methodNotFound',
      'This sign-in method was already removed. Reload the page to see the current list.',
    ],
    [503, undefined, 'The service is unavailable right now. Try again in a minute.'],
  ] as const) {
    network.use(http.delete('/api/v1/auth/identifiers/:id', () => refusal(status, 'No', code)));
    await user.click(within(await dialog()).getByRole('button', { name: 'Remove email sign-in' }));
    await waitFor(async () => expect(within(await dialog()).getByRole('alert')).toHaveTextContent(sentence));
    await machine('unlink').is('failed');
  }
  await user.keyboard('{Escape}');
  await machine('unlink').is('closed');
  await waitFor(() => expect(remove).toHaveFocus());
  expect(await rows()).toHaveLength(2);
});

test('the dialog shows that a method is being removed, and can’t be closed during the request', async () => {
  const { user, machine } = openMethods(email, wallet);
  network.use(http.delete('/api/v1/auth/identifiers/:id', silence));
  const [first] = await rows();
  await user.click(within(first!).getByRole('button', { name: /^Remove / }));
  await user.click(within(await dialog()).getByRole('button', { name: 'Remove email sign-in' }));
  expect(await within(await dialog()).findByRole('button', { name: 'Removing...' })).toBeInTheDocument();
  await user.keyboard('{Escape}');
  await machine('unlink').is('working');
});
