import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { defaultAppearance } from '@orange-id/contract/appearance';
import type { AppFlowInfo } from '@orange-id/contract/tenant.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { json, network, refusal } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const shop: AppFlowInfo = {
  app: { name: 'Shop', projectId: 'orange-a1b2c3d4e5', origin: 'https://shop.example.com', isLocal: false },
  display: 'page',
  method: null,
};
const path = '/login?app=flow-1';
const address = '/api/v1/auth/flows/flow-1';

interface StubProps {
  begin?: string;
  title?: string;
  walletButtonText?: string;
  separatorText?: string;
  appearance?: unknown;
  features?: unknown;
  app: { flowId: string; onTokens(tokens: { accessToken: string; refreshToken: string }): void };
}
let panel: StubProps | null = null;
const head = new MutationObserver((records) => {
  // jsdom loads neither the panel's stylesheet nor its script.
  for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (node instanceof HTMLScriptElement) {
      Object.assign(window, {
        Bedrock: {
          BedrockPassportProvider: ({ children }: { children: unknown }) => children,
          LoginPanel: (props: StubProps) => {
            panel = props;
            return <p>The panel</p>;
          },
        },
      });
    }
    if (node instanceof HTMLElement) node.dispatchEvent(new Event('load'));
  }
});

/** What the page sent. */
let sent: unknown[] = [];
/** Serves the sign-in; `answer` to its tokens. */
function serve(flow: AppFlowInfo | (() => ReturnType<typeof json>), answer?: () => ReturnType<typeof json>) {
  network.use(
    http.get(address, () => (typeof flow === 'function' ? flow() : json(flow))),
    http.post(address, async ({ request }) => {
      sent.push([await request.json(), request.headers.get('authorization')]);
      // jsdom can only change the fragment.
      return answer?.() ?? json({ next: '/login?app=flow-1' });
    }),
  );
}
beforeEach(() => {
  sent = [];
  panel = null;
  head.observe(document.head, { childList: true });
});
afterEach(() => {
  head.disconnect();
  Reflect.deleteProperty(window, 'Bedrock');
});
const tokens = { accessToken: 'new', refreshToken: 'newer' };
const stored = () => ({ ...localStorage });

test('the page names the app with its origin, starts with the method asked for, and stores no token', async () => {
  serve({ ...shop, method: 'wallet' });
  const { machine } = openPortal(path, { as: 'visitor' });
  expect(await screen.findByRole('heading', { name: 'Sign in to Shop' })).toBeInTheDocument();
  expect(screen.getByText('https://shop.example.com')).toBeInTheDocument();
  expect(await screen.findByText('The panel')).toBeInTheDocument();
  expect([panel?.begin, panel?.app.flowId]).toEqual(['wallet', 'flow-1']);
  const before = stored();
  panel?.app.onTokens(tokens);
  await machine('appSignIn').is('leaving');
  expect(sent).toEqual([[{ token: 'new', refreshToken: 'newer', isTemporary: true }, null]]);
  expect(stored()).toEqual(before);
});

test('the panel wears the look that the project saved, with its own uploads and the portal’s words', async () => {
  const asked: string[] = [];
  const colours = {
    light: { ...defaultAppearance.colours.light, accent: '#0A7F5A' },
    dark: defaultAppearance.colours.dark,
  };
  const upload = `/pictures/${'a'.repeat(32)}.webp`;
  const saved = {
    ...defaultAppearance,
    colours,
    layout: 'pictureLeft',
    picture: upload,
    methods: ['email'],
    logo: { light: upload, dark: 'https://tracker.example.com/logo.png', alt: 'Shop' },
    texts: { ...defaultAppearance.texts, title: 'Sign in to Google' },
  };
  network.use(
    http.get('/api/v1/auth/appearance', ({ request }) => {
      asked.push(new URL(request.url).search);
      return json({ version: 3, appearance: saved });
    }),
  );
  serve(shop);
  openPortal(path, { as: 'visitor' });
  expect(await screen.findByText('The panel')).toBeInTheDocument();
  expect(screen.getByText('https://shop.example.com')).toBeInTheDocument();
  expect(asked).toEqual(['?subscription-key=orange-a1b2c3d4e5']);
  expect(panel?.appearance).toMatchObject({
    colours,
    layout: 'card',
    picture: '',
    logo: { light: upload, dark: '', alt: 'Shop' },
  });
  expect(panel?.features).toMatchObject({ enableEmailLogin: true, enableGoogleLogin: false });
  expect(panel?.title).toBe('Choose how to sign in');
  // Those of the look are shown.
  expect([panel?.walletButtonText, panel?.separatorText]).toEqual([undefined, undefined]);
});

test.each([
  ['fails', () => refusal(500, 'Failed')],
  ['is no look', () => json({ version: 1, appearance: { ...defaultAppearance, radius: 'url(x)' } })],
])('the panel keeps the portal’s look if the project’s %s', async (_name, answer) => {
  network.use(http.get('/api/v1/auth/appearance', answer));
  serve(shop);
  openPortal(path, { as: 'visitor' });
  expect(await screen.findByText('The panel')).toBeInTheDocument();
  expect(panel?.appearance).toBeUndefined();
});

test('somebody who is signed in continues as that person, or uses another account', async () => {
  serve({ ...shop, app: { ...shop.app, origin: 'http://localhost:5173', isLocal: true } });
  const { user, machine } = openPortal(path);
  expect(await screen.findByText('An app on this computer:')).toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: 'Use another account' }));
  expect(await screen.findByText('The panel')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Back to your account' }));
  await user.click(await screen.findByRole('button', { name: 'Continue as Acme Developers' }));
  await machine('appSignIn').is('leaving');
  const [token, refreshToken] = [storageKeys.accessToken, storageKeys.refreshToken].map((key) =>
    localStorage.getItem(key),
  );
  expect(sent).toEqual([[{ token, refreshToken, isTemporary: false }, null]]);
});

test('an expired sign-in says so and where to start again', async () => {
  serve(() => refusal(400, 'This sign-in took too long', 'auth.flowInvalid'));
  const back = jest.spyOn(window.history, 'back').mockReturnValue();
  const { user } = openPortal(path, { as: 'visitor' });
  expect(await screen.findByRole('heading', { name: 'This sign-in has expired' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Go back' }));
  expect(back).toHaveBeenCalled();
});

test('a sign-in that expires while somebody signs in leads back to the app and ends the new session', async () => {
  const ended: unknown[] = [];
  network.use(
    http.post('/api/v1/auth/logout', ({ request }) => {
      ended.push(request.headers.get('authorization'));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  serve(shop, () => refusal(400, 'This sign-in took too long', 'auth.flowInvalid'));
  openPortal(path, { as: 'visitor' });
  await screen.findByText('The panel');
  panel?.app.onTokens(tokens);
  const link = await screen.findByRole('link', { name: 'Back to shop.example.com' });
  expect(link).toHaveAttribute('href', 'https://shop.example.com');
  await waitFor(() => expect(ended).toEqual(['Bearer new']));
});

test('in a window of the app, an expired sign-in offers to close it', async () => {
  serve(() => refusal(404, 'Not found', 'route.notFound'));
  Object.assign(window, { opener: {} });
  try {
    const close = jest.spyOn(window, 'close').mockReturnValue();
    const { user } = openPortal(path, { as: 'visitor' });
    await user.click(await screen.findByRole('button', { name: 'Close this window' }));
    expect(close).toHaveBeenCalled();
  } finally {
    Object.assign(window, { opener: null });
  }
});

test('a session that the portal refuses leads to the panel; a server that fails can be asked again', async () => {
  const answers = [refusal(401, 'Sign in again', 'auth.tokenInvalid'), refusal(503, 'Later')];
  serve(shop, () => answers.shift() ?? json({ next: '/login?app=flow-1' }));
  const { user, machine } = openPortal(path);
  await user.click(await screen.findByRole('button', { name: 'Continue as Acme Developers' }));
  expect(await screen.findByText('Your session has ended. Sign in again to continue.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Back to your account' })).toBeNull();
  await screen.findByText('The panel');
  panel?.app.onTokens(tokens);
  expect(await screen.findByText('Failed to sign in')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await machine('appSignIn').is('leaving');
});

test('the sign-in never continues on another site', async () => {
  serve(shop, () => json({ next: 'https://evil.example/api/v1/auth/consent' }));
  openPortal(path, { as: 'visitor' });
  await screen.findByText('The panel');
  panel?.app.onTokens(tokens);
  expect(await screen.findByText('The sign-in would continue on another site.')).toBeInTheDocument();
});
