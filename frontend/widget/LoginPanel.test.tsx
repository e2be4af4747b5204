import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type {
  EmailLogin,
  EmailRegister,
  LoginResult,
  WalletVerify,
} from '@orange-id/contract/identity.schema';
import { siweStatement } from '@orange-id/contract/siwe.statement';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http } from 'msw';
import type { ReactNode } from 'react';
import { verifyMessage, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { json, network, refusal } from '../src/testing/network';
import { pageOutline } from '../src/testing/page.outline';
import { BedrockPassportProvider } from './BedrockPassportProvider';
import type { LoginFeatures, LoginPanelProps } from './login.props';
import { LoginPanel } from './LoginPanel';
import { InternalsContext, useInternals } from './passport.context';
import { createWalletConfig } from './wallet.config';
import type { Eip1193 } from './wallet.signer';

const user = userEvent.setup({ delay: null });
const tokens: LoginResult = {
  user: { id: 'user-1' },
  token: { accessToken: 'an-access-token', refreshToken: 'a-refresh-token' },
};
const nonce = '0123456789abcdef0123456789abcdef';
/** The callback URL differs from the page's only in its hash, because jsdom supports no other navigation. */
const settings = { baseUrl: '', authCallbackUrl: 'http://localhost/#callback', tenantId: 'orange' };

/** Gives each test its own wallets and session, because those of the panel last as long as the document. */
function WithIsolatedState({ children, token }: { children: ReactNode; token: string | null }) {
  const world = { ...useInternals(), wallets, readToken: () => token };
  return <InternalsContext value={world}>{children}</InternalsContext>;
}
let wallets: ReturnType<typeof createWalletConfig>;

function openPanel(props: LoginPanelProps = {}, token: string | null = null) {
  network.use(
    http.get('/api/v1/auth/widget', () => json({ text: 'By Orange ID', url: 'https://example.com' })),
  );
  wallets = createWalletConfig();
  render(
    <BedrockPassportProvider {...settings}>
      <WithIsolatedState token={token}>
        <LoginPanel title="Sign in to" logoAlt="Orange ID" {...props} />
      </WithIsolatedState>
    </BedrockPassportProvider>,
  );
}

/** The features of a panel that offers one method. */
const only = (feature: keyof LoginFeatures): LoginFeatures => ({
  enableEmailLogin: false,
  enableWalletConnect: false,
  enableGoogleLogin: false,
  enableAppleLogin: false,
  [feature]: true,
});

const press = (name: string) => user.click(screen.getByRole('button', { name }));
const email = () => screen.getByLabelText('Email');
const passwordField = () => screen.getByLabelText(/^Password/);
const repeated = () => screen.queryByLabelText('Confirm password');
const panel = () => screen.getByRole('region');
const state = () => panel().dataset['state'];
const titles = () =>
  screen.getAllByRole('heading').map(({ tagName, textContent }) => `${tagName} ${textContent}`);

/** Expects that the panel redirects and that the callback URL has both tokens. */
async function expectSignedIn(): Promise<void> {
  expect(await screen.findByRole('heading', { name: 'Signed in' })).toBeInTheDocument();
  await waitFor(() => expect(location.hash).toContain('token=an-access-token&refreshToken=a-refresh-token'));
}

type Failure =
  'connectionRejected' | 'busy' | 'noAccount' | 'switchRejected' | 'stuckOnChain' | 'signatureRejected';

const leaving = new Set<() => void>();
afterEach(() => {
  location.hash = '';
  leaving.forEach((leave) => leave());
  leaving.clear();
});

/** A wallet with a real key, present in this page until the test ends. */
class PageWallet implements Eip1193 {
  readonly account = privateKeyToAccount(generatePrivateKey());
  readonly calls: string[] = [];
  failure: Failure | null = null;

  constructor(public chainId = 1) {}

  /** Puts the wallet at `window.ethereum`. */
  inject(): this {
    Object.assign(window, { ethereum: this });
    leaving.add(() => Reflect.deleteProperty(window, 'ethereum'));
    return this;
  }

  /** Announces the wallet by EIP-6963. */
  announce(name = 'Test Wallet', rdns = 'com.example.testwallet'): this {
    const info = Object.freeze({ uuid: crypto.randomUUID(), name, rdns, icon: 'data:image/svg+xml,<svg/>' });
    const detail = Object.freeze({ info, provider: this });
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    window.addEventListener('eip6963:requestProvider', announce);
    leaving.add(() => window.removeEventListener('eip6963:requestProvider', announce));
    return this;
  }

  on() {}
  removeListener() {}

  async request({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> {
    this.calls.push(method);
    if (this.failure === 'busy' && method === 'eth_requestAccounts') throw refused(-32002);
    switch (method) {
      case 'eth_chainId':
        return `0x${this.chainId.toString(16)}`;
      case 'eth_requestAccounts':
        if (this.failure === 'connectionRejected') throw refused(4001);
        return this.failure === 'noAccount' ? [] : [this.account.address.toLowerCase()];
      case 'wallet_switchEthereumChain':
        if (this.failure === 'switchRejected') throw refused(4001);
        if (this.failure !== 'stuckOnChain') this.chainId = Number((params[0] as { chainId: Hex }).chainId);
        return null;
      case 'personal_sign':
        if (this.failure === 'signatureRejected') throw refused(4001);
        return this.account.signMessage({ message: { raw: params[0] as Hex } });
      default:
        throw refused(4200);
    }
  }
}
const refused = (code: number) => Object.assign(new Error('Refused'), { code });

/**
 * Mocks the service for a wallet's sign-in: it refuses any signature other than the account's over this page's message.
 */
const serveWallets = () =>
  network.use(
    http.get('/api/v1/message/nonce', () => json({ nonce })),
    http.post('/api/v1/message/verify', async ({ request }) => {
      const { message, signature } = (await request.json()) as WalletVerify;
      const address = message.address as Hex;
      const text = createSiweMessage({
        address,
        nonce,
        chainId: 1,
        version: '1',
        statement: siweStatement,
        domain: 'localhost',
        uri: 'http://localhost',
        issuedAt: new Date(message.issuedAt),
      });
      const isSigned = await verifyMessage({ address, message: text, signature: signature as Hex });
      return isSigned ? json(tokens) : refusal(401, 'No');
    }),
  );

test('a wallet on another chain is asked for mainnet, then signs in', async () => {
  serveWallets();
  const wallet = new PageWallet(137).announce();
  openPanel();
  await press('Connect Wallet');
  await press('Test Wallet');
  await expectSignedIn();
  expect(wallet.chainId).toBe(1);
  expect(wallet.calls.filter((method) => method !== 'eth_chainId')).toEqual([
    'eth_requestAccounts',
    'wallet_switchEthereumChain',
    'personal_sign',
  ]);
});

test('a wallet that fails shows the reason each time, and the next try succeeds', async () => {
  const failures: [Failure, string][] = [
    ['connectionRejected', 'The request was declined in Test Wallet.'],
    ['busy', 'Test Wallet already has a request open.'],
    ['noAccount', 'No account was shared.'],
    ['signatureRejected', 'The request was declined in Test Wallet.'],
  ];
  serveWallets();
  const wallet = new PageWallet(137).announce();
  openPanel();
  await press('Connect Wallet');
  for (const [index, [failure, sentence]] of failures.entries()) {
    wallet.failure = failure;
    await press(index === 0 ? 'Test Wallet' : 'Try again');
    await waitFor(() => expect(state()).toBe('failed'));
    expect(screen.getByRole('alert')).toHaveTextContent(sentence);
    expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
  }
  wallet.failure = null;
  await press('Try again');
  await expectSignedIn();
});

test.each(['switchRejected', 'stuckOnChain'] as const)(
  'a wallet on another network signs in all the same: %s',
  async (failure) => {
    serveWallets();
    new PageWallet(137).announce().failure = failure;
    openPanel();
    await press('Connect Wallet');
    await press('Test Wallet');
    await expectSignedIn();
  },
);

test('a wallet at window.ethereum that announces nothing can sign in too', async () => {
  serveWallets();
  new PageWallet().inject();
  openPanel();
  await press('Connect Wallet');
  await press('Browser wallet');
  await expectSignedIn();
});

test('every announced wallet is listed once, and not again as the browser wallet', async () => {
  new PageWallet().inject().announce('Fox', 'org.example.fox');
  new PageWallet().announce('Owl', 'org.example.owl');
  openPanel();
  await press('Connect Wallet');
  const listed = screen.getAllByRole('listitem').map((item) => within(item).getByRole('button').textContent);
  expect(listed).toEqual(['Fox', 'Owl']);
  expect(screen.getByRole('button', { name: 'Fox' })).toHaveFocus();
});

test('the panel says so if there is no wallet and no WalletConnect project, and offers other methods', async () => {
  openPanel();
  await press('Connect Wallet');
  expect(screen.getByRole('heading', { name: 'No wallet found in this browser' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Find a wallet' })).toHaveFocus();
  expect(screen.queryByRole('button', { name: /WalletConnect/ })).not.toBeInTheDocument();
  await press('Other sign-in methods');
  expect(screen.getByRole('button', { name: 'Connect Wallet' })).toBeInTheDocument();
});

test('the panel registers by email with the keyboard only, and shows field errors before anything is sent', async () => {
  const sent: EmailRegister[] = [];
  network.use(
    http.post('/api/v1/auth/email/register', async ({ request }) => {
      sent.push((await request.json()) as EmailRegister);
      return json(tokens);
    }),
  );
  openPanel();
  screen.getByRole('button', { name: 'Continue with email' }).focus();
  await user.keyboard('{Enter}');
  expect(email()).toHaveFocus();
  screen.getByRole('button', { name: 'Create an account' }).focus();
  await user.keyboard('{Enter}');
  expect(email()).toHaveFocus();
  expect(repeated()).toBeInTheDocument();
  screen.getByRole('button', { name: 'Sign in instead' }).focus();
  await user.keyboard('{Enter}');
  expect(email()).toHaveFocus();
  expect(repeated()).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Create an account' }));
  await user.keyboard('somebody');
  await user.tab();
  expect(passwordField()).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Choose a password.')).toBeInTheDocument();
  expect(email()).toHaveValue('somebody');
  await fill(email(), 'not an address');
  await fill(passwordField(), 'short');
  await fill(repeated(), 'other');
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Enter an email like name@example.com.')).toBeInTheDocument();
  expect(await screen.findByText('Use at least 8 characters.')).toBeInTheDocument();
  expect(screen.queryByText(/^At least 8 characters/)).not.toBeInTheDocument();
  expect(await screen.findByText('The passwords don’t match.')).toBeInTheDocument();
  expect(sent).toEqual([]);
  await fill(email(), `${'a'.repeat(65)}@example.com`);
  expect(await screen.findByText('Use at most 64 characters before the @.')).toBeInTheDocument();
  await user.keyboard('{Enter}');
  expect(email()).toHaveFocus();
  expect(sent).toEqual([]);
  const account = { email: 'ada@example.com', password: 'correct horse', passwordConfirm: 'correct horse' };
  await fill(email(), account.email);
  await fill(passwordField(), account.password);
  await fill(repeated(), account.passwordConfirm);
  await user.keyboard('{Enter}');
  await expectSignedIn();
  expect(sent).toEqual([account]);
});

test.each(['ada@bücher.example', 'ada@пример.рф'])(
  'an international email is sent as typed: %s',
  async (typed) => {
    const sent: unknown[] = [];
    network.use(
      http.post('/api/v1/auth/email/login', async ({ request }) => {
        sent.push(await request.json());
        return json(tokens);
      }),
    );
    openPanel();
    await press('Continue with email');
    await fill(email(), typed);
    await fill(passwordField(), 'correct horse');
    await user.keyboard('{Enter}');
    await expectSignedIn();
    expect(sent).toEqual([{ email: typed, password: 'correct horse' }]);
  },
);

test('the title describes the current view and is the panel’s only heading', async () => {
  network.use(http.post('/api/v1/auth/email/reset', () => json({ code: 200, status: 'success' })));
  openPanel({ logo: '/orange-id.svg' });
  expect(panel()).toHaveAccessibleName('Sign in to Orange ID');
  expect(titles()).toEqual(['H2 Sign in to']);
  expect(screen.getByRole('img', { name: 'Orange ID' })).toBeInTheDocument();
  await press('Connect Wallet');
  expect(titles()).toEqual(['H2 No wallet found in this browser']);
  expect(screen.queryByRole('img', { name: 'Orange ID' })).not.toBeInTheDocument();
  await press('Other sign-in methods');
  await press('Continue with email');
  expect(titles()).toEqual(['H2 Sign in to']);
  await fill(email(), 'ada@example.com');
  await press('Forgot password?');
  expect(titles()).toEqual(['H2 Forgot your password?']);
  await press('Send link');
  await waitFor(() => expect(titles()).toEqual(['H2 Check your email']));
  expect(screen.getByRole('button', { name: 'Back to sign-in' })).toHaveFocus();
});

test('a reset link is sent only to a valid email, and can be sent again', async () => {
  const sent: unknown[] = [];
  network.use(
    http.post('/api/v1/auth/email/reset', async ({ request }) => {
      sent.push(await request.json());
      return json({ code: 200, status: 'success' });
    }),
  );
  openPanel();
  await press('Continue with email');
  await press('Forgot password?');
  screen.getByRole('button', { name: 'Send link' }).focus();
  await press('Send link');
  await waitFor(() => expect(email()).toHaveFocus());
  expect(sent).toEqual([]);
  await fill(email(), 'ada@example.com');
  await press('Send link');
  await waitFor(() => expect(titles()).toEqual(['H2 Check your email']));
  await press('Send another link');
  expect(email()).toHaveValue('ada@example.com');
  await press('Send link');
  await waitFor(() => expect(titles()).toEqual(['H2 Check your email']));
  expect(sent).toEqual([{ email: 'ada@example.com' }, { email: 'ada@example.com' }]);
  await press('Back to sign-in');
  expect(email()).toHaveValue('ada@example.com');
  expect(state()).toBe('enteringEmail.login');
});

test('signing in and requesting a reset link accept an older email that exceeds the limit before the @', async () => {
  const old = `${'a'.repeat(65)}@example.com`;
  const sent: unknown[] = [];
  network.use(
    http.post('/api/v1/auth/email/login', async ({ request }) => {
      sent.push(await request.json());
      return refusal(401, 'Wrong', 'auth.credentialsInvalid');
    }),
    http.post('/api/v1/auth/email/reset', async ({ request }) => {
      sent.push(await request.json());
      return json({ code: 200, status: 'success' });
    }),
  );
  openPanel();
  await press('Continue with email');
  await fill(email(), old);
  await fill(passwordField(), 'correct horse');
  await press('Sign in');
  expect(await screen.findByText('The email or password is wrong.')).toBeInTheDocument();
  await press('Forgot password?');
  await press('Send link');
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeInTheDocument();
  expect(panel()).toHaveTextContent(`If there’s an account with a password for ${old}, we’ve sent`);
  // Too long for one line, the email breaks before its @.
  expect(panel().querySelector('wbr')?.nextSibling).toHaveTextContent(/^@example\.com$/);
  expect(sent).toEqual([{ email: old, password: 'correct horse' }, { email: old }]);
});

test('a portal that can’t send email names the missing variable, and the form keeps the email', async () => {
  network.use(
    http.post('/api/v1/auth/email/reset', () =>
      refusal(501, 'SMTP_URL is not set', 'auth.mailNotConfigured'),
    ),
  );
  openPanel();
  await press('Continue with email');
  await fill(email(), 'ada@example.com');
  await press('Forgot password?');
  expect(email()).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'This portal can’t send email. Its operator has to set SMTP_URL first. You can still use other sign-in methods.',
  );
  expect(email()).toHaveValue('ada@example.com');
});

describe('a panel that starts with a method', () => {
  test('shows the form to add an email, and returns to the choice without starting again', async () => {
    openPanel({ purpose: 'link', title: 'Connect a sign-in method', begin: 'email' });
    expect(state()).toBe('enteringEmail.register');
    expect(titles()).toEqual(['H2 Connect email and password']);
    expect(email()).toHaveFocus();
    await press('Back');
    expect(state()).toBe('choosing');
  });

  test('advises a signed-in user to add a different email if the one entered is taken', async () => {
    network.use(http.post('/api/v1/auth/identifier/email', () => refusal(409, 'Taken', 'auth.emailTaken')));
    openPanel({ purpose: 'link', title: 'Connect a sign-in method', begin: 'email' }, 'an-access-token');
    await fill(email(), 'ada@example.com');
    await fill(passwordField(), 'correct horse');
    await fill(repeated(), 'correct horse');
    await press('Connect email');
    expect(await screen.findByText('Another account already uses this email.')).toBeInTheDocument();
    expect(screen.getByText('Use a different email.')).toBeInTheDocument();
  });

  test('asks for the password that confirms the account, and does not scroll the page', () => {
    const focus = jest.spyOn(HTMLInputElement.prototype, 'focus');
    openPanel({ purpose: 'prove', begin: 'email', email: 'ada@example.com' });
    expect(focus.mock.calls).toEqual([[{ preventScroll: true }]]);
    focus.mockRestore();
    expect(titles()).toEqual(['H2 Enter your password']);
    expect(passwordField()).toHaveFocus();
    expect(panel()).toHaveTextContent('For ada@example.com');
  });

  test('suggests how to reset a wrong password if there is no other method to confirm with', async () => {
    network.use(http.post('/api/v1/auth/proof', () => refusal(403, 'Wrong', 'auth.passwordWrong')));
    openPanel({ purpose: 'prove', begin: 'email', features: only('enableEmailLogin') }, 'an-access-token');
    await fill(passwordField(), 'a wrong password');
    await press('Confirm');
    expect(await screen.findByText('The password is wrong.')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent(
      /wrong\. Try again\. Forgot it\? Sign out and choose “Forgot password\?” on the sign-in page\.$/,
    );
  });

  test('offers Back instead of another method if the wallet is the only method', async () => {
    openPanel({ purpose: 'prove', begin: 'wallet', features: only('enableWalletConnect') });
    expect(panel()).not.toHaveTextContent('another method');
    await press('Back');
    expect(state()).toBe('choosing');
    cleanup();
    const wallet = new PageWallet().announce();
    wallet.failure = 'connectionRejected';
    openPanel(
      { purpose: 'prove', begin: 'wallet', features: only('enableWalletConnect') },
      'an-access-token',
    );
    await press('Test Wallet');
    await waitFor(() => expect(state()).toBe('failed'));
    expect(screen.getByRole('alert')).toHaveTextContent(/Try again and approve it\.$/);
    await press('Back');
    expect(state()).toBe('choosing');
  });

  test('lists the wallets to add, and returns to the other methods', async () => {
    new PageWallet().announce();
    openPanel({ purpose: 'link', begin: 'wallet' });
    expect(titles()).toEqual(['H2 Choose a wallet']);
    expect(screen.getByRole('button', { name: 'Test Wallet' })).toHaveFocus();
    await press('Connect another method');
    expect(state()).toBe('choosing');
  });

  test('starts the redirect to Google immediately', async () => {
    openPanel({ purpose: 'link', begin: 'google' });
    // Nobody is signed in, so the redirect fails.
    expect(await screen.findByText('Your session has ended.')).toBeInTheDocument();
  });
});

test('the first view opens the register form directly, and the title says what the form is for', async () => {
  openPanel();
  expect(screen.getByText('New here?')).toBeInTheDocument();
  await press('Create an account');
  expect(state()).toBe('enteringEmail.register');
  expect(email()).toHaveFocus();
  expect(repeated()).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'Create your account' })).toBeInTheDocument();
  expect(passwordField()).toHaveAccessibleDescription('At least 8 characters.');
  expect(screen.queryByRole('button', { name: 'Back' })).not.toBeInTheDocument();
  await press('Sign in instead');
  expect(screen.getByRole('heading', { name: /^Sign in to/ })).toBeInTheDocument();
});

/** Navigates, and waits for the event of this navigation: it fires after those of all earlier ones. */
const navigationsNotified = () =>
  new Promise<void>((resolve) => {
    const hash = `#${crypto.randomUUID()}`;
    window.addEventListener('hashchange', ({ newURL }) => newURL.endsWith(hash) && resolve());
    window.location.hash = hash;
  });

test('a view opened while the browser is still going back stays open', async () => {
  await navigationsNotified();
  openPanel({ keepsHistory: true });
  await press('Continue with email');
  await press('Forgot password?');
  const wentBack = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  fireEvent.click(screen.getByRole('button', { name: 'Back to sign-in' }));
  fireEvent.click(screen.getByRole('button', { name: 'Forgot password?' }));
  await wentBack;
  await waitFor(() => expect(history.state).toHaveProperty('loginPanelView', 2));
  expect(state()).toBe('enteringEmail.forgetting');
  history.back();
  await waitFor(() => expect(state()).toBe('enteringEmail.login'));
});

test('the browser’s Back button goes back view by view if the panel keeps history, and leaves the page’s state unchanged', async () => {
  await navigationsNotified();
  history.replaceState({ kept: 'by the page' }, '');
  const before = history.length;
  openPanel({ keepsHistory: true });
  await press('Continue with email');
  await press('Forgot password?');
  expect(state()).toBe('enteringEmail.forgetting');
  expect(history.length).toBe(before + 2);
  expect(history.state).toMatchObject({ kept: 'by the page' });
  history.back();
  await waitFor(() => expect(state()).toBe('enteringEmail.login'));
  history.back();
  await waitFor(() => expect(state()).toBe('choosing'));
  expect(history.state).toEqual({ kept: 'by the page' });

  // Two views back at once, as from the Back button's history list.
  await press('Continue with email');
  await press('Forgot password?');
  history.go(-2);
  await waitFor(() => expect(history.state).toEqual({ kept: 'by the page' }));
  await waitFor(() => expect(state()).toBe('choosing'));
  expect(history.state).toEqual({ kept: 'by the page' });

  const arrived = new Promise<unknown>((resolve) =>
    window.addEventListener('popstate', ({ state: at }) => resolve(at), { once: true }),
  );
  history.forward();
  expect(await arrived).toHaveProperty('loginPanelView', 1);
  await waitFor(() => expect(history.state).toEqual({ kept: 'by the page' }));
  expect(state()).toBe('choosing');

  // Going back in the panel removes its entry.
  await press('Create an account');
  expect(history.state).toHaveProperty('loginPanelView', 1);
  await press('Sign in instead');
  await press('Back');
  await waitFor(() => expect(history.state).toEqual({ kept: 'by the page' }));
  expect(state()).toBe('choosing');

  // The page after the panel replaces the panel's entry instead of adding one.
  network.use(http.post('/api/v1/auth/email/login', () => json(tokens)));
  await press('Continue with email');
  const entries = history.length;
  await fill(email(), 'ada@example.com');
  await fill(passwordField(), 'correct horse');
  await press('Sign in');
  await expectSignedIn();
  expect(history.length).toBe(entries);
});

test('the panel offers the choice again if Back from a provider’s page restores the page', async () => {
  // jsdom can't leave the page.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  openPanel();
  await press('Continue with Google');
  await waitFor(() => expect(state()).toBe('redirecting'));
  fireEvent(window, new PageTransitionEvent('pageshow', { persisted: false }));
  expect(state()).toBe('redirecting');
  fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }));
  await waitFor(() => expect(state()).toBe('choosing'));
});

describe('on another origin than the service’s', () => {
  const at = 'https://id.example.com';
  /** `footer` is the URL of the panel's footer link. */
  function openElsewhere(props: LoginPanelProps, footer = `${at}/api/v1/auth/authorize?tenantId=orange`) {
    network.use(http.get(`${at}/api/v1/auth/widget`, () => json({ text: 'The footer', url: footer })));
    render(
      <BedrockPassportProvider {...settings} baseUrl={at}>
        <LoginPanel {...props} />
      </BedrockPassportProvider>,
    );
    return screen.findByRole('link', { name: 'The footer' });
  }

  test('the panel opens the service’s page in a window instead of asking for a password or a signature', async () => {
    const popup = { closed: false, focus: () => undefined } as Window;
    const open = jest.spyOn(window, 'open').mockReturnValue(popup);
    await openElsewhere({});
    await press('Continue with email');
    expect(state()).toBe('waitingForWindow');
    expect(screen.queryByLabelText('Email')).toBeNull();
    await press('Cancel');
    await press('Connect Wallet');
    expect(titles()).toEqual(['H2 Continue in the other window']);
    const address = new URL(String(open.mock.calls.at(-1)?.[0]));
    expect(address.origin + address.pathname).toBe(`${at}/api/v1/auth/authorize`);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      tenantId: 'orange',
      callback: settings.authCallbackUrl,
      method: 'wallet',
    });
    const data = {
      type: 'orange-id.signin',
      tab: address.searchParams.get('tab'),
      token: 'an-access-token',
      refreshToken: 'a-refresh-token',
    };
    const planted = { ...data, token: 'planted' };
    window.dispatchEvent(new MessageEvent('message', { origin: 'https://evil.example', data: planted }));
    window.dispatchEvent(new MessageEvent('message', { origin: at, data }));
    await expectSignedIn();
  });

  test.each<[string, LoginPanelProps, string | undefined]>([
    ['sets a purpose', { purpose: 'signIn' }, undefined],
    ['has the footer of one', {}, 'https://learn.example.com'],
  ])('a portal, which %s, asks for passwords in its page', async (_, props, footer) => {
    await openElsewhere(props, footer);
    await press('Continue with email');
    expect(email()).toBeInTheDocument();
  });
});

test('a panel without a title has one', async () => {
  openPanel({ title: undefined });
  expect(panel()).toHaveAccessibleName('Sign in to Orange ID');
  expect(titles()).toEqual(['H2 Sign in']);
});

test('the password can be shown and hidden', async () => {
  openPanel();
  await press('Continue with email');
  const reveal = (name: string) => screen.getByRole('button', { name });
  expect(passwordField()).toHaveAttribute('type', 'password');
  await press('Show');
  expect(passwordField()).toHaveAttribute('type', 'text');
  expect(reveal('Hide')).toHaveAttribute('aria-pressed', 'true');
  await press('Hide');
  expect(passwordField()).toHaveAttribute('type', 'password');
  expect(reveal('Show')).toHaveAttribute('aria-pressed', 'false');
});

test('the panel leaves the page’s history unchanged by default', async () => {
  const before = history.length;
  openPanel();
  await press('Continue with email');
  await press('Forgot password?');
  expect(history.length).toBe(before);
});

test('the typed email survives a reload, and is removed after a sign-in', async () => {
  network.use(http.post('/api/v1/auth/email/register', () => json(tokens)));
  openPanel();
  await press('Create an account');
  await fill(email(), 'ada@example.com');
  cleanup();
  openPanel();
  await press('Create an account');
  expect(email()).toHaveValue('ada@example.com');
  await fill(passwordField(), 'correct horse');
  await fill(repeated(), 'correct horse');
  await press('Create account');
  await expectSignedIn();
  expect(sessionStorage.getItem('passport-typed-email')).toBeNull();
});

test('a taken email and a wrong password are reported at their fields, and the values stay', async () => {
  const right: EmailLogin = { email: 'ada@example.com', password: 'correct horse' };
  network.use(
    http.post('/api/v1/auth/email/register', () => refusal(409, 'Taken', 'auth.emailTaken')),
    http.post('/api/v1/auth/email/login', async ({ request }) => {
      const { password } = (await request.json()) as EmailLogin;
      return password === right.password ? json(tokens) : refusal(401, 'Wrong', 'auth.credentialsInvalid');
    }),
  );
  openPanel();
  await press('Continue with email');
  await press('Create an account');
  await fill(email(), right.email);
  await fill(passwordField(), 'another password');
  await fill(repeated(), 'another password');
  await press('Create account');
  expect(await screen.findByText('Another account already uses this email.')).toBeInTheDocument();
  expect(screen.getByText('Sign in to that account, or use a different email.')).toBeInTheDocument();
  expect(await screen.findByText('This email is already in use.')).toBeInTheDocument();
  expect(email()).toHaveFocus();
  await press('Sign in instead');
  expect(email()).toHaveValue(right.email);
  await press('Sign in');
  expect(await screen.findByText('The email or password is wrong.')).toBeInTheDocument();
  expect(passwordField()).toHaveValue('another password');
  expect(passwordField()).toHaveFocus();
  await fill(passwordField(), right.password);
  await press('Sign in');
  await expectSignedIn();
});

/** Replaces the content of a field with `text`. */
async function fill(field: HTMLElement | null, text: string): Promise<void> {
  if (!field) throw new Error('There is no such field');
  await user.clear(field);
  await user.paste(text);
}

describe('the content of the panel', () => {
  const open = async (props: LoginPanelProps, ...buttons: string[]) => {
    openPanel({ mailboxUrl: '/dev/mailbox', ...props });
    await screen.findByText('By Orange ID');
    for (const name of buttons) await press(name);
    return pageOutline().join('\n');
  };

  test.each<[string, LoginPanelProps, ...buttons: string[]]>([
    ['the methods', {}],
    ['the form to sign in', {}, 'Continue with email'],
    ['the form to register', {}, 'Create an account'],
    ['the form to reset a password', {}, 'Continue with email', 'Forgot password?'],
    ['the wallets, without any', {}, 'Connect Wallet'],
    ['the methods to add', { purpose: 'link' }],
    ['the email to add', { purpose: 'link', begin: 'email' }],
    ['the methods to confirm', { purpose: 'prove', email: 'ada@example.com' }],
    ['the password to confirm', { purpose: 'prove', email: 'ada@example.com', begin: 'email' }],
  ])('%s: the view matches its snapshot', async (_, props, ...buttons) => {
    expect(await open(props, ...buttons)).toMatchSnapshot();
  });

  test('the view after the link is sent matches its snapshot', async () => {
    network.use(http.post('/api/v1/auth/email/reset', () => json({ code: 200, status: 'success' })));
    await open({}, 'Continue with email');
    await fill(email(), 'ada@example.com');
    await press('Forgot password?');
    await press('Send link');
    await screen.findByRole('heading', { name: 'Check your email' });
    expect(pageOutline().join('\n')).toMatchSnapshot();
  });
});
