import { beforeEach, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { openAs, stopDate } from '../testing/accounts';
import { answerLive } from '../testing/live.connection';
import { network, refusal } from '../testing/network';
import type { Portal } from '../testing/open.portal';
import { pageOutline } from '../testing/page.outline';
import { rendered } from '../testing/turn.channel';

beforeEach(() => {
  stopDate();
  answerLive();
  // A toast that a slow machine would see close is in the snapshots.
  jest.replaceProperty(limits as { toastMs: number }, 'toastMs', 60_000);
});

/** Clicks the last button whose name starts with this text: a dialog comes after the page. */
async function press({ user }: Portal, name: string): Promise<void> {
  const found = await screen.findAllByRole('button', { name: (given) => given.startsWith(name) });
  await user.click(found.at(-1) as HTMLElement);
}

/** Waits until a dialog has counted the calls of its key. */
const counted = () =>
  waitFor(() => expect(screen.queryByText(/^(?:Counting|Loading)/)).not.toBeInTheDocument());

/** Waits until the page has changed and React has nothing left to render. Returns the new lines of its outline. */
async function linesSince(before: string[]): Promise<string> {
  await waitFor(() => expect(pageOutline()).not.toEqual(before));
  let last: string[] = [];
  await waitFor(async () => {
    last = pageOutline();
    await rendered();
    expect(pageOutline()).toEqual(last);
  });
  return last.filter((line) => !before.includes(line)).join('\n');
}

test.each<[path: string, ...buttons: string[]]>([
  ['/', 'Login widget', 'API access', 'Docs'],
  [
    '/dashboard',
    'Integration',
    'Support',
    'Search',
    'Account menu: Acme Developers',
    'Open menu',
    'Expand sidebar',
  ],
  ['/projects', 'Reveal API key'],
  ['/keys', 'Create API key', 'Reveal API key Server'],
  ['/usage', 'Export', 'Pause', 'Filters'],
  ['/login?from=profile', 'Remove Email ada@example.com'],
  ['/profile', 'Edit wallet 0xA0Cf7...382f251e', 'View full wallet address 0xA0Cf7...382f251e'],
  ['/settings', 'Edit Display Name', 'Edit Bio', 'Edit Email', 'Edit Location'],
])('what the buttons of %s open has the content of its snapshot', async (path, ...buttons) => {
  for (const name of buttons) {
    const portal = await openAs(path, path === '/' ? 'visitor' : 'full account');
    const before = pageOutline();
    await press(portal, name);
    await counted();
    expect(await linesSince(before)).toMatchSnapshot(name);
    portal.close();
    document.body.replaceChildren();
  }
});

interface Change {
  path: string;
  /** Opens the dialog or the form. */
  open?: string;
  fields?: Record<string, string>;
  act: string;
  /** Whether the test also shows its success, for which an empty response is enough. */
  succeeds?: true;
}

test.each<Change>([
  {
    path: '/login?from=profile',
    open: 'Remove Google account ada@example.org',
    act: 'Remove Google account',
    succeeds: true,
  },
  { path: '/projects', open: 'Update API key', act: 'Generate New Key' },
  { path: '/projects', open: 'Edit key', fields: { Name: 'Renamed' }, act: 'Save' },
  { path: '/projects', open: 'Rotate key', act: 'Rotate key' },
  { path: '/projects', open: 'Remove https://app.example.org', act: 'Remove' },
  {
    path: '/projects',
    open: 'Add URLs',
    fields: { 'Allowed URL': 'https://new.example.org' },
    act: 'Save Changes',
  },
  { path: '/keys', fields: { Name: 'Laptop' }, act: 'Create API key' },
  { path: '/keys', open: 'Edit Server', fields: { Name: 'Renamed' }, act: 'Save' },
  { path: '/keys', open: 'Rotate Server', act: 'Rotate key' },
  { path: '/keys', open: 'Delete Server', act: 'Delete', succeeds: true },
  { path: '/settings', open: 'Edit Username', fields: { Username: 'ada2' }, act: 'Save' },
  {
    path: '/settings',
    open: 'Change password',
    fields: {
      'Current password': 'correct horse',
      'New password': 'battery staple 1',
      'Confirm password': 'battery staple 1',
    },
    act: 'Change password',
  },
  { path: '/settings', act: 'End the session on Safari on iPhone', succeeds: true },
  { path: '/settings', open: 'Sign out everywhere', act: 'Sign out everywhere' },
  { path: '/settings', open: 'Delete photo', act: 'Delete photo' },
])(
  '$path: what “$act” shows once opened, while it runs and when it ends has the content of its snapshots',
  async ({ path, open, fields = {}, act, succeeds = false }) => {
    const portal = await openAs(path, 'full account');
    if (open !== undefined) {
      const closed = pageOutline();
      await press(portal, open);
      await counted();
      expect(await linesSince(closed)).toMatchSnapshot('opened');
    }
    for (const [label, text] of Object.entries(fields)) {
      const field = (await screen.findAllByLabelText(label)).at(-1) as HTMLElement;
      await portal.user.clear(field);
      await portal.user.click(field);
      await portal.user.paste(text);
    }
    await counted();
    /** Responses to the changes that the page has sent, oldest first. */
    const answers: ((response: Response) => void)[] = [];
    const wait = () => new Promise<Response>((give) => answers.push(give));
    network.use(http.get('/default-avatar.jpg', () => HttpResponse.arrayBuffer(new ArrayBuffer(8))));
    network.use(http.post('*', wait), http.put('*', wait), http.patch('*', wait), http.delete('*', wait));
    const before = pageOutline();
    await press(portal, act);
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(await linesSince(before)).toMatchSnapshot('waiting');
    const waiting = pageOutline();
    answers[0]?.(refusal(503, 'Not now'));
    expect(await linesSince(waiting)).toMatchSnapshot('failed');
    if (!succeeds) return;
    const failed = pageOutline();
    await press(portal, act);
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.(new HttpResponse(null, { status: 204 }));
    expect(await linesSince(failed)).toMatchSnapshot('succeeded');
  },
);
