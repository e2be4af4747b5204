import { expect, test } from '@jest/globals';
import type { ActiveSession } from '@orange-id/contract/identity.schema';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { json, network, silence, someone } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const sessionsCall = '/api/v1/auth/sessions';

const session = (place: number): ActiveSession => ({
  id: `session-${place}`,
  provider: 'email',
  device: 'node',
  isCurrent: place === 0,
  signedInAt: `2026-01-0${place + 1}T03:04:05.000Z`,
  lastUsedAt: '2026-01-09T03:04:05.000Z',
});

/** Opens Settings for an account with three sessions; its email is unconfirmed if `emailVerified` is false. */
function openSettings(emailVerified = true) {
  let sessions = [session(0), session(1), session(2)];
  network.use(
    http.get('/api/v1/auth/user', () => json({ ...someone, emailVerified })),
    http.get('/api/v1/auth/identifiers', () =>
      json([
        {
          id: 'method',
          provider: 'email',
          label: someone.email,
          isVerified: emailVerified,
          linkedAt: '2026-01-01T03:04:05.000Z',
        },
      ]),
    ),
    http.get('/api/v1/auth/changes', () => json([])),
    http.get(sessionsCall, () => json(sessions)),
    http.delete(`${sessionsCall}/:id`, ({ params }) => {
      sessions = sessions.filter(({ id }) => id !== params['id']);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return openPortal('/settings');
}

test('sessions on similar devices have distinct names, and ending one moves the focus to the next, then to the last button', async () => {
  const { user } = openSettings();
  const end = (day: number) =>
    screen.findByRole('button', { name: new RegExp(`^End the session on node, signed in ${day} Jan 2026`) });
  const list = await screen.findByRole('list', { name: 'Active sessions' });
  await user.click(await end(2));
  await waitFor(() => expect(list.children).toHaveLength(2));
  expect(await end(3)).toHaveFocus();
  await user.click(await end(3));
  await waitFor(() => expect(list.children).toHaveLength(1));
  expect(screen.getByRole('button', { name: 'Sign out everywhere' })).toHaveFocus();
});

test('the button that resends a confirmation link keeps the focus during the request', async () => {
  const { user, machine } = openSettings(false);
  network.use(http.post('/api/v1/auth/email/confirm/again', silence));
  const resend = await screen.findByRole('button', { name: 'Send new link' });
  await user.click(resend);
  await machine('confirmationResend').is('working');
  expect(resend).toHaveAccessibleName('Sending...');
  expect(resend).toHaveFocus();
  expect(resend).toBeEnabled();
});
