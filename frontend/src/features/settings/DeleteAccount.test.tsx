import { beforeEach, describe, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { ConfigContext } from '../../api/config/config.context';
import { deletionConfirmed } from '../../api/account/linking.path';
import { expectToast } from '../../testing/expect.toast';
import { json, network, refusal, silence } from '../../testing/network';
import { config, openPortal } from '../../testing/open.portal';
import { DeleteAccount } from './DeleteAccount';

const path = '/api/account/deletion';
const deletesAt = '2026-01-09T12:00:00.000Z';
const inFiveMinutes = () => new Date(Date.now() + 300_000).toISOString();

let sent: unknown[] = [];

/** Mocks a service that wants a confirmation or has one. */
function keepAccount({ isProven }: { isProven: boolean }) {
  network.use(
    http.get('/api/v1/auth/proof', () => json({ provenUntil: isProven ? inFiveMinutes() : null })),
    http.post(path, async ({ request }) => {
      sent.push(await request.json());
      return json({ deletesAt });
    }),
  );
}

beforeEach(() => {
  sent = [];
  network.use(
    http.get('/api/v1/auth/identifiers', () => json([])),
    http.get('/api/v1/auth/sessions', () => json([])),
    http.get('/api/v1/auth/changes', () => json([])),
    http.post('/api/v1/auth/logout', () => new HttpResponse(null, { status: 204 })),
  );
});

const opener = () => screen.findByRole('button', { name: 'Delete account' });
const openDialog = async ({ user }: Pick<ReturnType<typeof openPortal>, 'user'>) => {
  await user.click(await opener());
  return within(await screen.findByRole('dialog'));
};

describe('deleting the account', () => {
  test('says what goes and what stays, takes the word, and signs out', async () => {
    keepAccount({ isProven: true });
    const portal = openPortal('/settings');
    const dialog = await openDialog(portal);
    for (const sentence of [
      /All sessions end. Your API keys stop working/,
      /For 7 days you can sign in and keep your account/,
      /After 7 days your profile, photo, sign-in methods, projects/,
      /your posts and replies in the community, under “Deleted user”/,
    ]) {
      expect(screen.getByRole('dialog')).toHaveTextContent(sentence);
    }
    await portal.user.type(
      dialog.getByRole('textbox', { name: 'Type “delete” to delete your account' }),
      'delete',
    );
    await portal.user.click(dialog.getByRole('button', { name: 'Delete account' }));
    await expectToast('Account Deleted', 'To keep it, sign in before 9 Jan 2026.');
    expect(sent).toEqual([{ word: 'delete' }]);
    await waitFor(() => expect(portal.address()).toBe('/login'));
  });

  test.each(['', 'remove', 'delete me'])('sends nothing for the word ‘%s’', async (word) => {
    keepAccount({ isProven: true });
    const portal = openPortal('/settings');
    const dialog = await openDialog(portal);
    const field = dialog.getByRole('textbox');
    if (word !== '') await portal.user.type(field, word);
    await portal.user.click(dialog.getByRole('button', { name: 'Delete account' }));
    expect(await dialog.findByText('Type the word delete.')).toBeVisible();
    expect(field).toBeInvalid();
    expect(sent).toEqual([]);
  });

  test('is cancelled by Escape, and the focus returns', async () => {
    keepAccount({ isProven: true });
    const portal = openPortal('/settings');
    await openDialog(portal);
    await portal.user.keyboard('{Escape}');
    await portal.machine('deleteAccount').is('closed');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await opener()).toHaveFocus();
  });

  test('first leads to the sign-in methods to confirm, if that was long ago', async () => {
    keepAccount({ isProven: false });
    const portal = openPortal('/settings');
    const dialog = await openDialog(portal);
    expect(dialog.queryByRole('textbox')).toBeNull();
    await portal.user.click(dialog.getByRole('link', { name: 'Confirm it’s you' }));
    expect(await screen.findByText('Confirm it’s you to delete your account')).toBeVisible();
    expect(portal.address()).toBe('/login?from=profile');
    expect(sent).toEqual([]);
  });

  test('opens again after the confirmation, once', async () => {
    keepAccount({ isProven: true });
    const portal = openPortal('/settings');
    await opener();
    await portal.goTo('/settings', deletionConfirmed);
    expect(await screen.findByRole('textbox', { name: /^Type “delete”/ })).toBeVisible();
  });

  test('asks for the confirmation if the server wants it after all', async () => {
    keepAccount({ isProven: true });
    network.use(http.post(path, () => refusal(403, 'Confirm first', 'auth.proofRequired')));
    const portal = openPortal('/settings');
    const dialog = await openDialog(portal);
    await portal.user.type(dialog.getByRole('textbox'), 'Delete{Enter}');
    expect(await screen.findByRole('link', { name: 'Confirm it’s you' })).toBeVisible();
  });

  test('keeps the word after a failed attempt, and lets the server decide if the check fails', async () => {
    keepAccount({ isProven: true });
    network.use(
      http.get('/api/v1/auth/proof', () => refusal(503, 'Busy')),
      http.post(path, () => refusal(503, 'Busy'), { once: true }),
    );
    const portal = openPortal('/settings');
    const dialog = await openDialog(portal);
    await portal.user.type(dialog.getByRole('textbox'), 'delete{Enter}');
    expect(await dialog.findByRole('alert')).toBeVisible();
    expect(dialog.getByRole('textbox')).toHaveValue('delete');
    await portal.user.click(dialog.getByRole('button', { name: 'Delete account' }));
    await portal.machine('deleteAccount').is('deleted');
  });

  test('sends one request, however often the button is clicked', async () => {
    keepAccount({ isProven: true });
    network.use(
      http.post(path, () => {
        sent.push('request');
        return silence();
      }),
    );
    const portal = openPortal('/settings');
    const dialog = await openDialog(portal);
    await portal.user.type(dialog.getByRole('textbox'), 'delete');
    await portal.user.dblClick(dialog.getByRole('button', { name: 'Delete account' }));
    expect(await dialog.findByRole('button', { name: /Deleting/ })).toBeDisabled();
    expect(sent).toEqual(['request']);
  });

  test('is done elsewhere if a hosted service manages the account', async () => {
    network.use(http.get('https://id.example.com/api/v1/auth/identifiers', () => json([])));
    const identity = { ...config.identity, baseUrl: 'https://id.example.com' };
    render(
      <QueryClientProvider client={new QueryClient()}>
        <ConfigContext.Provider value={{ ...config, identity }}>
          <DeleteAccount />
        </ConfigContext.Provider>
      </QueryClientProvider>,
    );
    expect(await screen.findByText('id.example.com manages your account')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open id.example.com' })).toHaveAttribute(
      'href',
      'https://id.example.com/',
    );
    expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull();
  });
});
