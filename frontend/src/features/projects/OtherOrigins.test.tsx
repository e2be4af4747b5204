import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { keepProjects } from '../../testing/kept.projects';
import { json, network, refusal } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const path = '/api/projects/:code/origins';
const extension = `chrome-extension://${'a'.repeat(32)}`;

/** Keeps the list of the project's other origins, and the lists that the page sent. */
function keepOrigins(...origins: string[]) {
  const kept = { origins, sent: [] as unknown[] };
  network.use(
    http.get(path, () => json({ origins: kept.origins })),
    http.put(path, async ({ request }) => {
      const body = (await request.json()) as { origins: string[] };
      kept.sent.push(body);
      kept.origins = body.origins;
      return json(body);
    }),
  );
  return kept;
}

const open = () => {
  const server = keepProjects({ name: 'Shop', urls: ['https://*.preview.example.com'] });
  return { server, ...openPortal('/projects') };
};
const section = async () => within(await screen.findByRole('region', { name: 'Other origins' }));

test('an extension is added in the form that browsers send, and removed again', async () => {
  const kept = keepOrigins();
  const { user } = open();
  const panel = await section();
  const field = await panel.findByLabelText('Extension or null');
  await user.click(field);
  await user.paste(` ${extension}/popup.html`);
  await user.keyboard('{Enter}');
  await expectToast('Origin allowed', extension);
  expect(field).toHaveValue('');
  expect(kept.sent).toEqual([{ origins: [extension] }]);
  await user.click(await panel.findByRole('button', { name: `Remove ${extension}` }));
  await waitFor(() => expect(panel.queryByText(extension)).not.toBeInTheDocument());
  expect(kept.sent).toEqual([{ origins: [extension] }, { origins: [] }]);
});

test('an addition keeps what another tab has added since', async () => {
  const kept = keepOrigins();
  const { user } = open();
  const panel = await section();
  await user.click(await panel.findByLabelText('Extension or null'));
  kept.origins = ['null'];
  await user.paste(extension);
  await user.click(panel.getByRole('button', { name: 'Add origin' }));
  await expectToast('Origin allowed', extension);
  expect(kept.sent).toEqual([{ origins: ['null', extension] }]);
});

test.each([
  ['', 'Enter the origin of an extension, or null.'],
  ['https://app.example.com', 'Add a page’s URL under Allowed URLs.'],
  ['app://localhost', 'Only browser extensions and null can be allowed.'],
  [
    'chrome-extension://abc',
    'Enter the whole origin, such as chrome-extension:// and the extension’s 32 letters.',
  ],
])('%j isn’t sent, and the field says why', async (text, reason) => {
  const kept = keepOrigins();
  const { user } = open();
  const panel = await section();
  const field = await panel.findByLabelText('Extension or null');
  await user.click(field);
  if (text) await user.paste(text);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(field).toHaveAccessibleDescription(reason));
  expect(kept.sent).toEqual([]);
});

test('null comes with a warning, before it is added and while it is in the list', async () => {
  keepOrigins();
  const { user } = open();
  const panel = await section();
  await user.click(await panel.findByLabelText('Extension or null'));
  expect(panel.queryByRole('note')).not.toBeInTheDocument();
  await user.paste('null');
  expect(panel.getByRole('note')).toHaveTextContent('Every sandboxed frame and every local file sends it');
  await user.keyboard('{Enter}');
  await expectToast('Origin allowed', 'null');
  expect(panel.getByRole('note')).toBeInTheDocument();
});

test('a failure is shown, and the text stays', async () => {
  keepOrigins();
  network.use(http.put(path, () => refusal(429, 'Too many changes')));
  const { user } = open();
  const panel = await section();
  const field = await panel.findByLabelText('Extension or null');
  await user.click(field);
  await user.paste('null');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(field).toHaveAccessibleDescription(/^Failed to change the list: /));
  expect(field).toHaveValue('null');
});

test('a blocked extension is allowed from the list of blocked origins, by one press more', async () => {
  const kept = keepOrigins();
  const { server, user } = open();
  server.blocked.push(...[extension, 'app://bundle'].map((origin) => ({ origin, calls: 1 })));
  const panel = await section();
  const blocked = within(await screen.findByRole('region', { name: 'Blocked origins' }));
  await user.click(await blocked.findByRole('button', { name: `Allow ${extension} under Other origins` }));
  expect(blocked.getByText('Can’t be allowed: not a public site')).toBeInTheDocument();
  const field = panel.getByLabelText('Extension or null');
  expect(field).toHaveValue(extension);
  expect(field).toHaveFocus();
  await user.keyboard('{Enter}');
  await expectToast('Origin allowed', extension);
  expect(kept.sent).toEqual([{ origins: [extension] }]);
  await waitFor(() => expect(blocked.queryByText(extension)).not.toBeInTheDocument());
});

test('a site that only a wildcard covers stays offered for sign-in, by its exact origin', async () => {
  keepOrigins();
  const lastAt = '2026-01-02T03:04:05.000Z';
  network.use(
    http.get('/api/projects/:code/refusals', () =>
      json([
        { origin: 'https://pr-1.preview.example.com', kind: 'signIn', calls: 2, lastAt },
        { origin: 'https://a.b.preview.example.com', kind: 'callback', calls: 1, lastAt },
      ]),
    ),
  );
  const { server } = open();
  server.blocked.push({ origin: 'https://pr-2.preview.example.com', calls: 5 });
  const blocked = within(await screen.findByRole('region', { name: 'Blocked origins' }));
  await waitFor(() =>
    expect(blocked.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'https://pr-1.preview.example.com2 sign-insAllow',
      'https://a.b.preview.example.com1 callbackAllow',
    ]),
  );
  expect(screen.getByText('API calls only').parentElement).toHaveTextContent('https://*.preview.example.com');
});

test('a portal with a hosted project service has no other origins', async () => {
  const { server, user: _, ...portal } = open();
  portal.close();
  server.blocked.push({ origin: 'null', calls: 1 });
  openPortal('/projects', { features: { embeddedProjects: false } });
  const blocked = within(await screen.findByRole('region', { name: 'Blocked origins' }));
  expect(await blocked.findByText('Can’t be allowed: not a public site')).toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'Other origins' })).not.toBeInTheDocument();
});
