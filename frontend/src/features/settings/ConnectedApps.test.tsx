import { describe, expect, test } from '@jest/globals';
import { connectedAppUpdate, type ConnectedApp } from '@orange-id/contract/tenant.schema';
import { render, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { ConfigContext } from '../../api/config/config.context';
import { expectToast } from '../../testing/expect.toast';
import { json, network, refusal, someone } from '../../testing/network';
import { config, openPortal } from '../../testing/open.portal';
import { ConnectedApps } from './ConnectedApps';

const appsCall = '/api/v1/auth/apps';
const ago = '2026-01-02T03:04:05.000Z';

const app = (name: string, known: Partial<ConnectedApp> = {}): ConnectedApp => ({
  id: `connection to ${name}`,
  projectId: 'orange-abcdefghij',
  name,
  previousName: null,
  origins: ['https://app.example.com'],
  site: 'https://app.example.com',
  connectedAt: ago,
  lastUsedAt: ago,
  claims: ['name'],
  ...known,
});

/** Mocks a service with these apps. Returns what was sent to change one. */
function keepApps(...known: ConnectedApp[]) {
  let apps = known;
  const sent: unknown[] = [];
  network.use(
    http.get('/api/v1/auth/user', () =>
      json({ ...someone, ethAddress: '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e' }),
    ),
    http.get('/api/v1/auth/identifiers', () => json([])),
    http.get('/api/v1/auth/sessions', () => json([])),
    http.get('/api/v1/auth/changes', () => json([])),
    http.get(appsCall, () => json(apps)),
    http.patch(`${appsCall}/:id`, async ({ params, request }) => {
      const { claims } = connectedAppUpdate.parse(await request.json());
      sent.push(claims);
      apps = apps.map((each) => (each.id === params['id'] ? { ...each, claims } : each));
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete(`${appsCall}/:id`, ({ params }) => {
      apps = apps.filter(({ id }) => id !== params['id']);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

const rows = async () =>
  within(await screen.findByRole('list', { name: 'Connected apps' })).getAllByRole('listitem');

describe('the connected apps', () => {
  test('each show what they see and where they are signed in', async () => {
    keepApps(
      app('Acme', { claims: ['name', 'email'], previousName: 'Apex' }),
      app('Shop', { claims: [], origins: [] }),
    );
    openPortal('/settings');
    const [first, second] = await rows();
    expect(first).toHaveTextContent(
      'AcmeRenamed from ApexSigned in at https://app.example.comSees your display name and email address',
    );
    expect(second).toHaveTextContent('ShopSigned out · https://app.example.comSees only your ID');
  });

  test('can be granted and denied what the account has, and nothing else', async () => {
    const sent = keepApps(app('Acme'));
    const { user } = openPortal('/settings');
    const opener = await screen.findByRole('button', { name: 'Change what Acme sees' });
    await user.click(opener);
    const boxes = await screen.findAllByRole('checkbox');
    expect(boxes.map((box) => box.parentElement?.parentElement?.textContent)).toEqual([
      'Display name',
      'Email address',
      'Wallet address',
    ]);
    expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, false, false]);
    await user.click(screen.getByRole('checkbox', { name: 'Display name' }));
    await user.click(screen.getByRole('checkbox', { name: 'Email address' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await expectToast('Saved', 'You changed what Acme sees.');
    expect(sent).toEqual([['email']]);
    await waitFor(async () => expect((await rows())[0]).toHaveTextContent('Sees your email address'));
  });

  test('lose no choice to a failed request, and say so when an app is disconnected elsewhere', async () => {
    keepApps(app('Acme'));
    network.use(http.patch(`${appsCall}/:id`, () => refusal(503, 'Busy'), { once: true }));
    const { user } = openPortal('/settings');
    await user.click(await screen.findByRole('button', { name: 'Change what Acme sees' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Email address' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('alert');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Email address' }).checked).toBe(true);
    network.use(http.patch(`${appsCall}/:id`, () => refusal(404, 'Gone', 'auth.appNotFound')));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('You’re no longer connected to this app.')).toBeVisible();
  });

  test('are disconnected after a confirmation that says how long a token lasts, and the focus moves on', async () => {
    keepApps(app('Acme'), app('Shop'));
    const { user } = openPortal('/settings');
    await user.click(await screen.findByRole('button', { name: 'Disconnect Acme' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('for up to an hour');
    await user.click(within(dialog).getByRole('button', { name: 'Disconnect' }));
    await expectToast('App Disconnected', 'You’re signed out of Acme.');
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(screen.getByRole('button', { name: 'Change what Shop sees' })).toHaveFocus();
  });

  test('count as disconnected if another tab was faster', async () => {
    keepApps(app('Acme'));
    network.use(http.delete(`${appsCall}/:id`, () => refusal(404, 'Gone', 'auth.appNotFound')));
    const { user } = openPortal('/settings');
    await user.click(await screen.findByRole('button', { name: 'Disconnect Acme' }));
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }));
    await expectToast('App Disconnected', 'You’re signed out of Acme.');
  });

  test('are not shown with a hosted identity service', () => {
    const identity = { ...config.identity, baseUrl: 'https://id.example.com' };
    const { container } = render(
      <ConfigContext.Provider value={{ ...config, identity }}>
        <ConnectedApps user={someone} />
      </ConfigContext.Provider>,
    );
    expect(container).toBeEmptyDOMElement();
  });
});
