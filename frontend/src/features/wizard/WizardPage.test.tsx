import { describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { copiedText } from '../../testing/clipboard';
import { expectToast } from '../../testing/expect.toast';
import { keepProjects, projectCalls } from '../../testing/kept.projects';
import { json, network, refusal, someone } from '../../testing/network';
import { openPortal, type Portal } from '../../testing/open.portal';
import { pageOutline } from '../../testing/page.outline';

const one = 'https://one.example.org';
const two = 'https://two.example.org';
const app = 'https://app.example.org';

const root = () => document.querySelector<HTMLElement>('[data-machine="wizard"]') as HTMLElement;
const box = (name: string) => screen.getByRole('textbox', { name: new RegExp(`^${name}`) });
const button = (name: string) => within(root()).getByRole('button', { name });
const listed = () =>
  within(screen.getByRole('list', { name: 'Allowed URLs' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const heading = (name: string) => screen.findByRole('heading', { level: 2, name });
const region = (name: string) => within(screen.getByRole('region', { name }));
const keyText = () => region('API key').getByRole('code');
const firstCall = () => document.querySelector('[data-machine="firstCall"]');

/** User actions in the wizard of this portal. */
function drive({ user }: Portal) {
  const fill = async (field: HTMLElement, text: string) => {
    await user.clear(field);
    await user.click(field);
    if (text) await user.paste(text);
  };
  const submitName = async (name: string) => {
    await fill(box('Project name'), name);
    await user.click(button('Create New'));
  };
  const addUrl = async (url: string) => {
    await fill(box('Allowed URL'), url);
    await user.click(button('Add URL'));
  };
  const create = () => user.click(button('Create Project'));
  /** Asserts the state of the wizard on the page; the portal's list of machines also keeps wizards that were left. */
  const is = (state: string) => waitFor(() => expect(root()).toHaveAttribute('data-state', state));
  /** Goes from the first step to the summary. */
  const make = async (name: string, ...urls: string[]) => {
    await submitName(name);
    await is('addingUrls');
    for (const url of urls) await addUrl(url);
    await create();
    await is('summarised');
  };
  return { fill, submitName, addUrl, create, is, make };
}

/** Opens the wizard as a new user with a complete profile. */
async function openWizard(...projects: Parameters<typeof keepProjects>) {
  const server = keepProjects(...projects);
  const portal = openPortal('/orange-id');
  const steps = drive(portal);
  await steps.is('naming');
  return { ...portal, ...steps, ...server };
}

test('the `source` in a visitor’s link is kept through sign-in, and creating the project sends and clears it', async () => {
  const { asked } = keepProjects();
  const visit = openPortal('/orange-id?source=game-jam', { as: 'visitor' });
  await waitFor(() => expect(visit.address()).toBe('/login'));
  expect(localStorage.getItem(storageKeys.source)).toBe('game-jam');
  visit.close();

  const portal = openPortal('/login');
  await waitFor(() => expect(portal.address()).toBe('/orange-id'));
  const { is, make } = drive(portal);
  await is('naming');
  await make('From a link', 'https://jam.example.org');
  expect(asked.create).toEqual([
    { projectName: 'From a link', whitelistURL: ['https://jam.example.org'], source: 'game-jam' },
  ]);
  expect(localStorage.getItem(storageKeys.source)).toBeNull();
});

test.each([
  ['email', 'We sent a confirmation link to ada@example.com.'],
  ['wallet', 'Check the inbox of ada@example.com for a confirmation link.'],
])(
  'an account made with %s whose email isn’t confirmed is told where the link is',
  async (provider, text) => {
    network.use(http.get('/api/v1/auth/user', () => json({ ...someone, emailVerified: false, provider })));
    await openWizard();
    const note = within(root()).getByRole('note');
    expect(note).toHaveTextContent(text);
    expect(within(note).getByRole('link')).toHaveAttribute('href', '/settings#confirm-email');
    expect(within(note).getByRole('button', { name: 'Send new link' })).toBeEnabled();
  },
);

test('each step has the content of its snapshot', async () => {
  const { user, submitName, addUrl, create, is } = await openWizard();
  const expectOutline = (step: string) => expect(pageOutline(root()).join('\n')).toMatchSnapshot(step);
  expectOutline('the name');
  await submitName('Acme');
  await is('addingUrls');
  expectOutline('the URLs');
  await addUrl('ftp://one.example.org');
  expectOutline('an invalid URL');
  await addUrl(one);
  await addUrl(two);
  expectOutline('two URLs');
  let answer: ((response: Response) => void) | undefined;
  network.use(
    http.post(projectCalls.create, () => new Promise<Response>((give) => (answer = give)), { once: true }),
  );
  await create();
  await waitFor(() => expect(answer).toBeDefined());
  expectOutline('the project is being created');
  answer?.(refusal(503, 'Not now'));
  await is('addingUrls');
  expectOutline('the creation failed');
  await create();
  await heading('Acme is ready');
  expectOutline('the summary');
  await user.click(button('Back'));
  await is('reviewing');
  expectOutline('the review');
});

test('an invalid name shows its error and stays in the field, and a family emoji and any script are valid', async () => {
  const { user, submitName, is, make, address } = await openWizard();
  for (const [name, sentence] of [
    ['', 'Please enter a project name.'],
    ['   ', 'Please enter a project name.'],
    ['a'.repeat(101), 'A project name can have at most 100 characters.'],
    ['a'.repeat(50_000), 'A project name can have at most 100 characters.'],
    ['Ac\u202eme', 'A project name can’t contain invisible or control characters.'],
    ['Ac\u200dme', 'A project name can’t contain invisible or control characters.'],
  ] as const) {
    await submitName(name);
    expect(await within(root()).findByText(sentence)).toBeInTheDocument();
    expect(box('Project name')).toHaveValue(name);
    expect(box('Project name')).toHaveFocus();
    await is('naming');
  }
  const name = '👨‍👩‍👧‍👦 משפחה Семья 🏳️‍🌈';
  await make(name, 'https://family.example.org');
  await heading(`${name} is ready`);
  await user.click(screen.getByRole('link', { name: 'View Project' }));
  await heading(name);
  expect(address()).toMatch(/^\/projects\?project=orange-[0-9a-z]{10}$/);
});

test('an invalid URL shows the wizard’s sentence for its error and stays in the field', async () => {
  const { submitName, addUrl, is } = await openWizard();
  await submitName('Refusals');
  await is('addingUrls');
  expect(root()).toHaveTextContent(
    'No site yet? Use https://example.com. Calls from curl and localhost always work.',
  );
  for (const [url, sentence] of [
    ['', 'Please enter a URL to whitelist.'],
    ['https://exa mple.org', 'Invalid URL format. Please include the protocol (https://example.com)'],
    ['app.example.org', 'Invalid URL format. Please include the protocol (https://example.com)'],
    ['ftp://app.example.org', 'URL must use HTTP or HTTPS protocol (e.g., https://example.com)'],
    ['https://ab', 'Please enter a valid domain name (e.g., https://example.com)'],
    ['http://localhost:5173', 'Localhost URLs are not allowed for production projects'],
    [
      'https://example.com:99999/shop',
      'Remove “:99999”: it isn’t a valid port. An allowed URL covers every port of its host.',
    ],
    ['https://ada@example.com', 'Remove “ada@”: an allowed URL can’t include a username or password.'],
  ] as const) {
    await addUrl(url);
    expect(await within(root()).findByText(sentence)).toBeInTheDocument();
    expect(box('Allowed URL')).toHaveValue(url);
    expect(button('Create Project')).toBeDisabled();
  }
  await addUrl(app);
  await addUrl(`${app}/again`);
  expect(await within(root()).findByText('This domain is already in your whitelist')).toBeInTheDocument();
  expect(listed()).toEqual([app]);
});

test('a local or private address is refused with what helps below the sentence', async () => {
  const { submitName, addUrl, is } = await openWizard();
  await submitName('Helped');
  await is('addingUrls');
  expect(box('Allowed URL')).toHaveAttribute('placeholder', 'https://app.example.com');
  const advice =
    'Localhost is always allowed while you develop, so leave it out. Private, loopback and IPv6 addresses are not supported.';
  for (const [url, sentence] of [
    ['http://localhost:5173', 'Localhost URLs are not allowed for production projects'],
    ['http://192.168.1.7', 'Please enter a valid domain name (e.g., https://example.com)'],
    ['http://[::1]:3000', 'Please enter a valid domain name (e.g., https://example.com)'],
  ] as const) {
    await addUrl(url);
    expect(await within(root()).findByText(sentence)).toBeInTheDocument();
    expect(within(root()).getByText(advice)).toBeInTheDocument();
  }
  await addUrl('ftp://app.example.org');
  await waitFor(() => expect(within(root()).queryByText(advice)).not.toBeInTheDocument());
});

test('a valid URL that was typed but not added creates the project', async () => {
  const { submitName, fill, user, is, asked } = await openWizard();
  await submitName('Typed');
  await is('addingUrls');
  expect(button('Create Project')).toBeDisabled();
  await fill(box('Allowed URL'), 'not a url');
  expect(button('Create Project')).toBeDisabled();
  await fill(box('Allowed URL'), `${one}/path`);
  expect(root()).not.toHaveTextContent('Add at least one URL to continue.');
  await user.click(button('Create Project'));
  await is('summarised');
  expect(asked.create).toEqual([{ projectName: 'Typed', whitelistURL: [one] }]);
});

test('the wizard goes back and forth, loses nothing on a reload at any step, and creates one project on a double click', async () => {
  const first = await openWizard();
  await first.submitName('Kept');
  await first.is('addingUrls');
  await first.addUrl(one);
  await first.user.click(button('Back'));
  expect(box('Project name')).toHaveValue('Kept');
  await first.user.click(button('Create New'));
  await first.is('addingUrls');
  await first.fill(box('Allowed URL'), two);
  first.close();

  const second = openPortal('/orange-id');
  await drive(second).is('addingUrls');
  expect(listed()).toEqual([one]);
  expect(box('Allowed URL')).toHaveValue(two);
  await second.user.dblClick(button('Create Project'));
  await drive(second).is('summarised');
  expect(first.asked.create).toEqual([{ projectName: 'Kept', whitelistURL: [one, two] }]);
  expect(screen.queryByText('URL Added')).not.toBeInTheDocument();
  await second.user.click(button('Back'));
  await drive(second).is('reviewing');
  expect(within(root()).queryByRole('button', { name: 'Create Project' })).not.toBeInTheDocument();
  expect(listed()).toEqual([one, two]);
  await second.user.click(button('View summary'));
  await drive(second).is('summarised');
  // The address names the project whose summary is shown.
  const address = second.address();
  expect(address).toBe(`/orange-id?created=${first.kept[0]?.code}`);
  second.close();

  const third = openPortal(address);
  await heading('Kept is ready');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Set up your project');
  await third.user.click(region('API key').getByRole('button', { name: 'Reveal API key' }));
  expect(keyText()).toHaveTextContent(String(first.kept[0]?.apiKey));
  // The menu's link starts a new project.
  await third.user.click(screen.getByRole('button', { name: 'Integration' }));
  await third.user.click(await screen.findByRole('menuitem', { name: /^Orange ID/ }));
  await waitFor(() => expect(third.address()).toBe('/orange-id'));
  await drive(third).is('naming');
  expect(box('Project name')).toHaveValue('');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Create a project');
  await third.goBack();
  await heading('Kept is ready');
});

test('a half-filled wizard is restored after signing out in another tab, with a toast about it, but not for another user', async () => {
  const first = await openWizard();
  await first.submitName('Half done 🍊');
  await first.is('addingUrls');
  await first.addUrl(one);
  await first.fill(box('Allowed URL'), 'https://tw');
  act(() => {
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
  });
  await waitFor(() => expect(first.address()).toBe('/login'));
  await expectToast(
    'Signed Out',
    'You signed out in another tab, or your session ended. Sign in again in this tab to continue where you left off.',
  );
  first.close();

  const answerUser = (id: string) => http.get('/api/v1/auth/user', () => json({ ...someone, id }));
  network.use(answerUser('user-2'));
  const other = openPortal('/orange-id');
  await drive(other).is('naming');
  expect(box('Project name')).toHaveValue('');
  other.close();

  network.use(answerUser('user-1'));
  await drive(openPortal('/orange-id')).is('addingUrls');
  expect(root()).toHaveTextContent('Half done 🍊');
  expect(listed()).toEqual([one]);
  expect(box('Allowed URL')).toHaveValue('https://tw');
});

test('a profile that fails to load shows an error, and Retry opens the wizard', async () => {
  network.use(http.get('/api/v1/auth/user', () => refusal(503, 'Not now')));
  const { user } = openPortal('/orange-id');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Failed to load your profile');
  network.use(http.get('/api/v1/auth/user', () => json(someone)));
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(box('Project name')).toBeInTheDocument());
});

test('a summary that fails to load shows an error, and Retry loads it', async () => {
  const { kept } = keepProjects({ name: 'Kept' });
  network.use(http.get(projectCalls.list, () => new HttpResponse('down', { status: 503 })));
  const { user } = openPortal(`/orange-id?created=${kept[0]?.code}`);
  expect(await screen.findByText('Failed to load your project')).toBeInTheDocument();
  network.use(http.get(projectCalls.list, () => json(kept)));
  await user.click(button('Retry'));
  await heading('Kept is ready');
});

test('a failed creation keeps the draft and explains the error', async () => {
  const { submitName, addUrl, create, is } = await openWizard();
  await submitName('Unlucky');
  await is('addingUrls');
  await addUrl(app);
  network.use(
    http.post(projectCalls.create, () => new HttpResponse('boom', { status: 502 }), { once: true }),
  );
  await create();
  await expectToast('Project Creation Failed', 'Failed to create project: 502 - boom');
  expect(root()).toHaveTextContent('Failed to create project: 502 - boom');
  await is('addingUrls');
  network.use(http.post(projectCalls.create, () => HttpResponse.error(), { once: true }));
  await create();
  await waitFor(() =>
    expect(root()).toHaveTextContent(
      'We couldn’t reach the server. Check your connection, then choose Create Project again. Everything you entered is still here.',
    ),
  );
  await is('addingUrls');
  expect(listed()).toEqual([app]);
  await create();
  await is('summarised');
});

test('a taken name shows its error in the first step, and another name continues with the same URLs', async () => {
  const { user, submitName, addUrl, create, is, fill } = await openWizard();
  const taken = 'Project name already taken';
  network.use(
    http.post(
      projectCalls.create,
      () => refusal(400, 'A project of this name already exists', 'project.nameTaken'),
      {
        once: true,
      },
    ),
  );
  await submitName('  ACME   games ');
  await is('addingUrls');
  await addUrl(two);
  await create();
  await expectToast('Project Creation Failed', taken);
  await is('addingUrls');
  await waitFor(() => expect(button('Create Project')).toHaveFocus());
  expect(root()).toHaveTextContent(taken);
  await user.click(button('Change the name'));
  expect(box('Project name')).toHaveValue('  ACME   games ');
  expect(root()).toHaveTextContent(taken);
  await fill(box('Project name'), 'Acme Games 2');
  expect(root()).not.toHaveTextContent(taken);
  await user.click(button('Create New'));
  await is('addingUrls');
  expect(listed()).toEqual([two]);
  await create();
  await heading('Acme Games 2 is ready');
});

test('names freed or taken in another browser are known when the wizard opens and when the window regains focus', async () => {
  const { kept } = keepProjects({ name: 'Acme' });
  const portal = openPortal('/projects');
  const { submitName, is } = drive(portal);
  await heading('Acme');
  await portal.machine('realtime').is('live');
  /** Another browser deletes the project and creates this one; the live connection doesn't report it. */
  const replaceBy = (projectName: string) => {
    const [before] = kept;
    if (before) kept.splice(0, 1, { ...before, projectName });
  };
  const expectFree = async (name: string) => {
    await waitFor(async () => {
      await submitName(name);
      expect(root()).toHaveAttribute('data-state', 'addingUrls');
    });
    await portal.user.click(button('Back'));
    await is('naming');
  };
  const expectTaken = async (name: string) => {
    await submitName(name);
    await expectToast('Project Creation Failed', 'Project name already taken');
    await is('naming');
  };

  replaceBy('Beta');
  await portal.goTo('/orange-id');
  await is('naming');
  await expectFree('Acme');
  await expectTaken('Beta');

  replaceBy('Gamma');
  act(() => void window.dispatchEvent(new Event('focus')));
  await expectFree('Beta');
  await expectTaken('Gamma');
});

test('a URL can be removed from the list, and an invalid one in the field blocks the creation, but a listed one doesn’t', async () => {
  const { user, submitName, addUrl, create, is, fill, asked } = await openWizard();
  await submitName('Second thoughts');
  await is('addingUrls');
  await addUrl(one);
  await addUrl(two);
  await user.click(button(`Remove ${one}`));
  expect(listed()).toEqual([two]);
  expect(box('Allowed URL')).toHaveFocus();
  await fill(box('Allowed URL'), 'http://localhost:5173');
  await create();
  expect(root()).toHaveTextContent('Localhost URLs are not allowed for production projects');
  await is('addingUrls');
  expect(asked.create).toEqual([]);
  await addUrl(`${two}/again`);
  expect(root()).toHaveTextContent('This domain is already in your whitelist');
  await create();
  await is('summarised');
  expect(asked.create).toEqual([{ projectName: 'Second thoughts', whitelistURL: [two] }]);
});

test('the first step marks all errors at once, and typing in a field keeps the focus there', async () => {
  network.use(
    http.get('/api/v1/auth/user', () => json({ ...someone, email: null, displayName: null })),
    http.post('/api/v1/user/profile', () => json(someone)),
  );
  const portal = openPortal('/orange-id');
  const { is, fill } = drive(portal);
  await is('naming');
  await portal.user.click(button('Create New'));
  for (const sentence of ['a project name', 'your display name', 'your email address'])
    expect(root()).toHaveTextContent(`Please enter ${sentence}.`);
  expect(box('Project name')).toHaveFocus();
  await portal.user.click(box('Display Name'));
  await portal.user.keyboard('Ada');
  expect(box('Display Name')).toHaveValue('Ada');
  await fill(box('Project name'), 'Marked');
  await portal.user.click(button('Create New'));
  expect(box('Email')).toHaveFocus();
  await portal.user.keyboard('ada@example.com');
  await portal.user.click(button('Create New'));
  await is('addingUrls');
});

test('a profile that the server fails to save keeps what was entered, and the focus goes to its first field', async () => {
  let isUp = false;
  network.use(
    http.get('/api/v1/auth/user', () => json({ ...someone, email: null, displayName: null })),
    http.post('/api/v1/user/profile', () => (isUp ? json(someone) : json({ message: 'down' }, 503))),
  );
  const portal = openPortal('/orange-id');
  const { is, fill } = drive(portal);
  await is('naming');
  await fill(box('Project name'), 'Kept');
  await fill(box('Email'), 'ada@example.com');
  await fill(box('Display Name'), 'Ada');
  await portal.user.click(button('Create New'));
  expect(await screen.findByText('Your profile couldn’t be saved')).toBeInTheDocument();
  expect([box('Display Name'), box('Email')].map((field) => field === document.activeElement)).toEqual([
    true,
    false,
  ]);
  isUp = true;
  await portal.user.click(button('Create New'));
  await is('addingUrls');
});

test('a profile emptied after the first step must be filled there again before the project is created', async () => {
  const first = await openWizard();
  await first.submitName('Emptied');
  await first.is('addingUrls');
  await first.addUrl(app);
  first.close();
  network.use(
    http.get('/api/v1/auth/user', () => json({ ...someone, displayName: null })),
    http.post('/api/v1/user/profile', () => json({ ...someone, displayName: 'Ada Again' })),
  );
  const portal = openPortal('/orange-id');
  const { is, create, fill } = drive(portal);
  await is('addingUrls');
  await create();
  await is('naming');
  await expectToast('Profile Information Required', 'Missing: Display Name');
  await waitFor(() => expect(box('Display Name')).toHaveFocus());
  expect(first.asked.create).toEqual([]);
  await fill(box('Display Name'), 'Ada Again');
  await portal.user.click(button('Create New'));
  await is('addingUrls');
  expect(listed()).toEqual([app]);
  await create();
  await is('summarised');
});

test('copying the key or the command scrolls the first-call panel into view and keeps the focus', async () => {
  const { user, make } = await openWizard();
  await make('Below the fold', app);
  const shown = jest.spyOn(Element.prototype, 'scrollIntoView');
  jest.useFakeTimers({ advanceTimers: true });
  for (const name of ['Copy API key', 'Copy curl command', 'Copy project ID']) {
    await user.click(button(name));
    expect(await within(root()).findByRole('button', { name: 'Copied!' })).toHaveFocus();
    await act(() => jest.advanceTimersByTimeAsync(limits.codeCopyFeedbackMs));
    expect(within(root()).queryByRole('button', { name: 'Copied!' })).toBeNull();
  }
  expect(shown.mock.contexts).toEqual([firstCall(), firstCall()].map((card) => card?.parentElement));
  // The test setup reports reduced motion.
  expect(shown.mock.calls).toEqual(Array(2).fill([{ block: 'nearest', behavior: 'auto' }]));
});

test('the key is masked until revealed, and the key and the project ID are copied whole', async () => {
  const { user, make, kept } = await openWizard();
  await make('Secret', app);
  const [project] = kept;
  expect(keyText()).toHaveTextContent(/^oid_.{4}•+.{4}$/);
  await user.click(region('API key').getByRole('button', { name: 'Copy API key' }));
  expect(await region('API key').findByRole('button', { name: 'Copied!' })).toBeInTheDocument();
  expect(await copiedText()).toBe(project?.apiKey);
  expect(within(root()).getByText('Terminal · Copy includes the full key')).toBeInTheDocument();
  await user.click(region('API key').getByRole('button', { name: 'Reveal API key' }));
  expect(keyText()).toHaveTextContent(String(project?.apiKey));
  expect(screen.getByRole('group', { name: 'curl command' })).toHaveTextContent(
    `X-API-Key: ${project?.apiKey}`,
  );
  await user.click(region('Project ID').getByRole('button', { name: 'Copy project ID' }));
  expect(await region('Project ID').findByRole('button', { name: 'Copied!' })).toBeInTheDocument();
  expect(await copiedText()).toBe(project?.code);
});

describe('the first call', () => {
  test('a blocked first call is shown with its reason when the summary opens again', async () => {
    const { user, make, is, kept, machine } = await openWizard();
    await make('Refused', app);
    await machine('firstCall').is('waiting.listening');
    expect(firstCall()).toHaveTextContent('Updates automatically when we see your first call.');
    const row = usageRowOf(1, {
      projectId: String(kept[0]?.code),
      statusCode: 403,
      outcome: 'blocked',
      origin: one,
    });
    network.use(http.get('/api/usage', () => json({ rows: [row], next: null })));
    await user.click(button('Back'));
    await user.click(button('View summary'));
    await is('summarised');
    await machine('firstCall').is('arrived');
    expect(firstCall()).toHaveTextContent(`${one} wasn’t an allowed URL at the time`);
    expect(firstCall()).toHaveTextContent('403');
    expect(screen.getAllByRole('link', { name: 'Open Usage' })[0]).toHaveAttribute(
      'href',
      `/usage?projectId=${kept[0]?.code}`,
    );
  });

  test('the first call arrives over the live connection', async () => {
    const { make, kept, machine, say } = await openWizard();
    await make('Live', app);
    await machine('firstCall').is('waiting.listening');
    say('usage.rows', { rows: [usageRowOf(1, { projectId: String(kept[0]?.code) })], seq: 1 });
    await machine('firstCall').is('arrived');
    expect(firstCall()).toHaveTextContent('Your project has received a call');
    expect(firstCall()).toHaveTextContent('GET /api/v1/key');
  });

  test('the first call is fetched every 5 seconds without a live connection, even after a failed request', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const server = keepProjects();
    server.mute();
    const portal = openPortal('/orange-id');
    const { is, make } = drive(portal);
    await is('naming');
    await make('Unconnected', app);
    const panel = portal.machine('firstCall');
    await panel.is('waiting.polling');
    expect(firstCall()).toHaveTextContent('Checking every 5 seconds until connected.');
    let asked = 0;
    network.use(
      http.get('/api/usage', () => {
        asked += 1;
        return HttpResponse.error();
      }),
    );
    act(() => void jest.advanceTimersByTime(5_000));
    await waitFor(() => expect(asked).toBe(1));
    await panel.is('waiting.polling');
    const row = usageRowOf(1, { projectId: String(server.kept[0]?.code) });
    network.use(http.get('/api/usage', () => json({ rows: [row], next: null })));
    act(() => void jest.advanceTimersByTime(5_000));
    await panel.is('arrived');
  });
});
