import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { otherOrigins } from '@orange-id/contract/origin.rule';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { storeSubmittedProject } from '../../api/projects/submitted.projects';
import { copiedText } from '../../testing/clipboard';
import { expectToast } from '../../testing/expect.toast';
import { keepProjects, projectCalls } from '../../testing/kept.projects';
import { json, network, refusal, silence, someone } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';
import { rendered } from '../../testing/turn.channel';

const known = 'https://app.example.org';
const more = 'https://more.example.org';
const one = 'https://one.example.org';
const stranger = 'https://stranger.example.org';
const shop = 'Acme Shop';
const unreachable = 'The server couldn’t be reached. Check your connection and try again.';
const elsewhereText = 'in another tab or on another device';

type Dialog = 'updateKey' | 'addUrls' | 'removeUrl' | 'deleteProject';
/** The request of each dialog, and the button that sends it. */
const acts = {
  updateKey: [http.post, projectCalls.rotate, 'Generate New Key'],
  addUrls: [http.post, projectCalls.add, 'Save Changes'],
  removeUrl: [http.delete, projectCalls.remove, 'Remove'],
  deleteProject: [http.delete, projectCalls.delete, 'Ok'],
} as const;
const playCall = (name: Dialog, answer: () => Response | Promise<Response>) =>
  network.use(acts[name][0](acts[name][1], answer));
const down = () => new HttpResponse('down', { status: 503 });
const gone = (code: string) => () => refusal(404, 'gone', code);

const detail = () => within(screen.getByRole('region', { name: /^Project / }));
const title = (name: string) => screen.findByRole('heading', { level: 2, name });
const list = () => within(screen.getByRole('navigation', { name: 'Projects' }));
const entry = (name: string) => list().getByRole('link', { name: new RegExp(`^${name}`) });
const urls = () =>
  detail()
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const keyText = () => document.querySelector('section[aria-label] .copy-value_text');
const opener = (name: string) => detail().getByRole('button', { name });
const openers: Record<Dialog, () => HTMLElement> = {
  updateKey: () => opener('Update API key'),
  addUrls: () => opener('Add URLs'),
  removeUrl: () => opener(`Remove ${more}`),
  deleteProject: () => screen.getByRole('button', { name: 'Delete project' }),
};
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
const dialog = () => within(screen.getByRole('dialog'));
const inDialog = (name: string | RegExp) => dialog().getByRole('button', { name });
const expectSaid = (text: string | RegExp) =>
  waitFor(() => expect(screen.getByRole('dialog')).toHaveTextContent(text));
const input = () => dialog().getByRole('textbox', { name: /^Allowed URL/ });
const pending = () =>
  (dialog().queryByRole('list', { name: 'Pending URLs' })
    ? within(dialog().getByRole('list', { name: 'Pending URLs' })).getAllByRole('listitem')
    : []
  ).map(({ textContent }) => textContent);
const deletedNotice = (name: string) => `“${name}” was deleted ${elsewhereText}`;
const allow = () => screen.findByRole('button', { name: `Allow ${stranger}` });
const shownKey = () => within(dialog().getByRole('group', { name: 'New API key' })).getByRole('code');

function submitted(...codes: string[]) {
  for (const id of codes)
    storeSubmittedProject({
      id,
      name: 'any',
      submittedAt: '2026-01-01T00:00:00.000Z',
      whitelistedUrls: [],
      integrationMethod: 'undecided',
      status: 'created',
    });
}

/** Opens the page and waits until it shows a project and is live; every project counts as created in this browser. */
async function openProjects(server: ReturnType<typeof keepProjects>, address = '/projects') {
  submitted(...server.kept.map(({ code }) => code));
  const portal = openPortal(address);
  await screen.findByRole('region', { name: /^Project / });
  await portal.machine('realtime').is('live');
  const { user } = portal;
  const select = async (name: string) => {
    await user.click(entry(name));
    await title(name);
  };
  /** Types a URL into the open dialog. */
  const type = async (text: string) => {
    await user.clear(input());
    await user.click(input());
    if (text) await user.paste(text);
  };
  const addPending = async (text: string) => {
    await type(text);
    await user.click(inDialog('Add URL'));
  };
  const press = (name: string | RegExp) => user.click(inDialog(name));
  const open = async (name: Dialog) => {
    await user.click(openers[name]());
    await portal.machine(name).is(name === 'addUrls' ? 'collecting' : 'confirming');
  };
  /** Opens a dialog and sends its request. */
  const ask = async (name: Dialog) => {
    await open(name);
    if (name === 'addUrls') await type(one);
    await press(acts[name][2]);
  };
  return { ...portal, select, type, addPending, press, open, ask };
}

const twoUrls = { name: shop, urls: [known, more] };

describe('the list', () => {
  test('the list offers to create a project while it is empty, selects by click and by address, and reports an unknown name', async () => {
    const empty = openPortal('/projects');
    expect(await screen.findByText('There are no projects to display')).toBeInTheDocument();
    const help = screen.getByText('Create your first project to get started');
    // The only button: the page's head shows none while the list is empty.
    const create = screen.getByRole('link', { name: 'Create New Project' });
    expect(create).toHaveAttribute('href', '/orange-id');
    expect(help.compareDocumentPosition(create)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    empty.close();

    const server = keepProjects({ name: 'First', urls: [] }, { name: 'Sécond 🍊' });
    const { user, address, goTo } = await openProjects(
      server,
      `/projects?${new URLSearchParams({ project: 'Sécond 🍊' })}`,
    );
    await title('Sécond 🍊');
    expect(entry('First').textContent).toBe('FirstNo allowed URLs');
    await user.click(entry('First'));
    await title('First');
    expect(address()).toBe(`/projects?project=${server.found('First')?.code}`);
    await user.click(detail().getByRole('button', { name: 'Reveal API key' }));
    expect(keyText()).toHaveTextContent(String(server.found('First')?.apiKey));
    await goTo('/projects?project=Gone');
    expect(await screen.findByText('There is no project called “Gone”')).toBeInTheDocument();
    await goTo('/projects?project=orange-zzzzzzzzzz');
    expect(await screen.findByText('There is no project with the ID orange-zzzzzzzzzz')).toBeInTheDocument();
    expect(
      screen.getByText('It may have been deleted. Choose another project from the list.'),
    ).toBeInTheDocument();
  });

  test('the list shows an error if it fails to load, and Retry loads it', async () => {
    const { kept } = keepProjects({ name: 'First' });
    network.use(http.get(projectCalls.list, down));
    const { user, machine } = openPortal('/projects');
    expect(await screen.findByText('Failed to load projects')).toBeInTheDocument();
    // The live connection refetches the list once when it connects; after that only Retry does.
    await machine('realtime').is('live.current');
    expect(
      await screen.findByText('The service is unavailable right now. Try again in a minute.'),
    ).toBeInTheDocument();
    network.use(http.get(projectCalls.list, () => json(kept)));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await title('First');
  });

  test('a list of more than ten projects can be searched by name and URL, and the selected project stays shown', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `Game ${index + 1}`);
    const server = keepProjects(
      { name: shop },
      ...names.map((name) => ({
        name,
        urls: [name === 'Game 7' ? more : name === 'Game 8' ? 'https://xn--mnchen-3ya.de' : known],
      })),
    );
    const { user, select } = await openProjects(server);
    expect(list().getAllByRole('link')).toHaveLength(11);
    await select(shop);
    const search = list().getByRole('searchbox', { name: 'Search projects' });
    await user.type(search, 'MORE.example');
    expect(
      list()
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual([`Game 7${more}`]);
    expect(list().getByRole('status')).toHaveTextContent('1 of 11 projects');
    await user.clear(search);
    await user.type(search, 'münchen');
    expect(list().getByRole('link')).toHaveTextContent('Game 8https://münchen.de');
    await user.clear(search);
    await user.type(search, 'nothing like it');
    expect(list().getByRole('status')).toHaveTextContent('No project matches your search.');
    await title(shop);
    await user.click(list().getByRole('combobox', { name: 'Sort projects' }));
    expect(
      Array.from(document.querySelectorAll('.ant-select-item-option'), ({ textContent }) => textContent),
    ).toEqual(['Newest first', 'Oldest first', 'Name']);
  });
});

test('an international domain is shown in its own letters, with what browsers send on focus, and one that looks like another as browsers send it', async () => {
  const spoof = 'https://xn--pypal-4ve.com';
  const server = keepProjects({ name: shop, urls: ['https://xn--mnchen-3ya.de', spoof] });
  const { user } = await openProjects(server);
  expect(urls()).toEqual(['https://münchen.de', spoof]);
  act(() => detail().getByText('https://münchen.de').focus());
  expect(await screen.findByRole('tooltip')).toHaveTextContent('https://xn--mnchen-3ya.de');
  await user.click(detail().getByRole('button', { name: 'Remove https://münchen.de' }));
  await expectSaid('Pages on https://münchen.de (https://xn--mnchen-3ya.de) will no longer');
});

test('a project shows the command with its key', async () => {
  const server = keepProjects({ name: shop });
  const { user } = await openProjects(server);
  await user.click(detail().getByRole('button', { name: 'Reveal API key' }));
  expect(screen.getByRole('group', { name: 'curl command' })).toHaveTextContent(
    `X-API-Key: ${server.found(shop)?.apiKey}`,
  );
});

describe('adding URLs', () => {
  test('an invalid URL shows its error at the field and in a toast, and stays in the field', async () => {
    const { user, addPending, open } = await openProjects(keepProjects({ name: shop }));
    await open('addUrls');
    await waitFor(() => expect(input()).toHaveFocus());
    expect(inDialog('Save Changes')).toBeDisabled();
    await expectSaid('Add at least one URL to save.');
    const refusals = [
      ['', 'URL Required', 'Please enter a URL to whitelist.'],
      [
        'https://a:b@example.com',
        'Invalid URL',
        'Remove “a:b@”: an allowed URL can’t include a username or password.',
      ],
      [`${known}/path`, 'Duplicate URL', 'This URL is already whitelisted for this project'],
    ] as const;
    for (const [text, called, sentence] of refusals) {
      await addPending(text);
      expect(await dialog().findByText(sentence)).toBeInTheDocument();
      await expectToast(called, sentence);
      expect(input()).toHaveFocus();
      expect(input()).toHaveValue(text);
      expect(inDialog('Save Changes')).toBeDisabled();
      await expectSaid('Add at least one URL to save.');
    }
    expect(pending()).toEqual([]);

    await addPending(one);
    await expectToast('URL Added', one);
    await addPending('HTTPS://Two.example.org:8443/shop?x=1');
    await expectToast('URL Added', 'URL normalized to: https://two.example.org');
    expect(dialog().getByText('URL normalized to: https://two.example.org')).toBeInTheDocument();
    await addPending('https://two.example.org');
    await expectToast('Duplicate URL');
    await user.clear(input());
    await user.click(input());
    await user.paste('https://münchen.de');
    await user.keyboard('{Enter}');
    expect(pending()).toEqual([one, 'https://two.example.org', 'https://münchen.de']);
  });

  test('the pending URLs and the typed one are saved once, in one call, and the dialog stays open during it', async () => {
    const server = keepProjects({ name: shop });
    const { user, machine, addPending, open, press } = await openProjects(server);
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    network.use(http.post(projectCalls.add, () => held));
    await open('addUrls');
    await addPending(`${one}/`);
    await addPending('https://wrong.example.org');
    await press('Remove https://wrong.example.org');
    expect(input()).toHaveFocus();
    await user.type(input(), 'https://two.example.org');
    await user.dblClick(inDialog('Save Changes'));
    await machine('addUrls').is('working');
    expect(inDialog('Saving...')).toBeDisabled();
    await user.keyboard('{Escape}');
    await machine('addUrls').is('working');
    release();
    await machine('addUrls').is('succeeded');
    await expectToast('Whitelist URLs added successfully');
    await noDialog();
    expect(server.asked.add).toEqual([
      {
        code: server.found(shop)?.code,
        projectName: shop,
        userId: someone.id,
        urls: [one, 'https://two.example.org'],
      },
    ]);
    await waitFor(() => expect(urls()).toEqual([known, one, 'https://two.example.org']));
    await waitFor(() => expect(openers.addUrls()).toHaveFocus());
  });

  test('pending URLs are kept after a click outside the dialog, and allowing a site does not save them', async () => {
    const server = keepProjects({ name: shop });
    server.blocked.push({ origin: stranger, calls: 1 });
    const { user, machine, addPending, open, close } = await openProjects(server);
    await open('addUrls');
    await addPending('https://abandoned.example.org');
    await user.click(document.querySelector('.ant-modal-wrap') as HTMLElement);
    await machine('addUrls').is('closed');
    await noDialog();
    close();
    const again = await openProjects(server);
    await again.user.click(await allow());
    await expectSaid(
      `Pages on ${stranger}, on any port, will be able to use the API key for ${shop} and to sign people in. Anyone can make a site appear here. Allow only your own.`,
    );
    await again.press('Allow');
    await again.machine('allowOrigin').is('succeeded');
    await expectToast('Whitelist URLs added successfully');
    await waitFor(() => expect(urls()).toEqual([known, stranger]));
    // The button that opened the dialog was removed with the blocked origin.
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Blocked origins' })).toHaveFocus());
  });

  test('the dialog that allows a site reports a URL added elsewhere and a deleted project', async () => {
    const server = keepProjects({ name: shop });
    server.blocked.push({ origin: stranger, calls: 1 });
    const { user, machine, press } = await openProjects(server);
    await user.click(await allow());
    playCall('addUrls', down);
    await press('Allow');
    await machine('allowOrigin').is('failed');
    await expectToast('Error', 'Failed to add whitelist URLs: 503 down');
    playCall('addUrls', gone('project.notFound'));
    await press('Allow');
    await machine('allowOrigin').is('vanished');
    await expectSaid(`This project was deleted ${elsewhereText}.`);
    await press('Close');
    await noDialog();
    await user.click(await allow());
    server.elsewhere.add(shop, stranger);
    await machine('allowOrigin').is('vanished');
    await expectSaid(`This URL was already added ${elsewhereText}.`);
    await press('Close');
    await machine('allowOrigin').is('closed');
  });

  test('a blocked origin can be allowed only if it is a valid allowed URL', async () => {
    const server = keepProjects({ name: shop });
    server.blocked.push(...[stranger, 'http://192.168.1.7', 'null'].map((origin) => ({ origin, calls: 1 })), {
      origin: otherOrigins,
      calls: 1_204,
    });
    await openProjects(server);
    await allow();
    const blocked = screen.getByRole('region', { name: 'Blocked origins' });
    expect(
      within(blocked).getByText(
        'Sites that tried to use this API key or to sign people in during the last 24 hours but aren’t in the project’s allowed URLs.',
      ),
    ).toBeInTheDocument();
    expect(
      within(blocked)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      `${stranger}1 callAllow`,
      'http://192.168.1.71 callCan’t be allowed: not a public site',
      'null1 callAllow',
      'Other origins1,204 callsSeveral origins, counted together',
    ]);
  });

  test('blocked origins that fail to load show the error, and Retry loads them', async () => {
    const server = keepProjects({ name: shop });
    let isDown = true;
    network.use(http.get(projectCalls.metrics, () => (isDown ? down() : undefined)));
    const { user } = await openProjects(server);
    const blocked = within(await screen.findByRole('region', { name: 'Blocked origins' }));
    expect(await blocked.findByText('Failed to load blocked origins')).toBeInTheDocument();
    isDown = false;
    await user.click(blocked.getByRole('button', { name: 'Retry' }));
    expect(await blocked.findByText('No blocked calls in the last 24 hours.')).toBeInTheDocument();
  });

  test('a failed save keeps the pending URLs, even after a reload, and shows its error each time', async () => {
    const server = keepProjects({ name: shop });
    const first = await openProjects(server);
    playCall('addUrls', () => HttpResponse.error());
    await first.open('addUrls');
    await first.addPending(one);
    await first.press('Save Changes');
    await first.machine('addUrls').is('failed');
    const sentence = `Failed to add whitelist URLs: ${unreachable}`;
    expect(dialog().getByText(sentence)).toBeInTheDocument();
    await expectToast('Error', sentence);
    expect(inDialog('Save Changes')).toHaveFocus();
    await first.user.type(input(), 'https://half');
    await first.machine('addUrls').is('collecting');
    first.close();

    const { open, press, user } = await openProjects(server);
    await open('addUrls');
    expect(pending()).toEqual([one]);
    expect(input()).toHaveValue('https://half');
    await user.clear(input());
    playCall('addUrls', () =>
      json({ statusCode: 409, message: 'It is there already', error: 'Conflict' }, 409),
    );
    await press('Save Changes');
    await expectToast('Error', 'Failed to add whitelist URLs: 409 It is there already');
    localStorage.removeItem(storageKeys.accessToken);
    localStorage.removeItem(storageKeys.passportToken);
    await press('Save Changes');
    await expectToast('Error', 'Missing authentication credentials or API configuration');
  });

  test('pending URLs are kept per project while another one is shown and when a site is allowed', async () => {
    const server = keepProjects({ name: shop }, { name: 'Other' });
    server.blocked.push({ origin: stranger, calls: 1 });
    const first = await openProjects(server);
    await first.select('Other');
    await first.select(shop);
    await first.open('addUrls');
    await first.addPending(one);
    await first.goBack();
    await first.machine('addUrls').is('closed');
    await title('Other');
    await noDialog();
    await first.open('addUrls');
    expect(pending()).toEqual([]);
    await first.press('Cancel');
    first.close();

    const { user, select, open, press, machine } = await openProjects(server);
    await select(shop);
    await user.click(await allow());
    await press('Allow');
    await machine('allowOrigin').is('succeeded');
    await waitFor(() => expect(urls()).toEqual([known, stranger]));
    await noDialog();
    await open('addUrls');
    expect(pending()).toEqual([one]);
    await press('Save Changes');
    await machine('addUrls').is('succeeded');
    await waitFor(() => expect(urls()).toEqual([known, stranger, one]));
  });

  test('pending URLs are kept through errors and closing until they are saved or removed', async () => {
    const server = keepProjects({ name: shop });
    const { user, machine, open, type, press, addPending } = await openProjects(server);
    const addUrls = machine('addUrls');
    playCall('addUrls', down);
    await open('addUrls');
    await addPending(more);
    await type('nonsense');
    await press('Save Changes');
    await addUrls.is('collecting');
    expect(input()).toHaveFocus();
    await type(`${more}/again`);
    await press('Save Changes');
    await addUrls.is('failed');
    await press('Add URL');
    await addUrls.is('collecting');
    expect(pending()).toEqual([more]);
    await press('Save Changes');
    await addUrls.is('failed');
    await user.keyboard('{Escape}');
    await addUrls.is('closed');
    await noDialog();
    await open('addUrls');
    expect(pending()).toEqual([more]);
    await press('Save Changes');
    await addUrls.is('failed');
    await press(`Remove ${more}`);
    await addUrls.is('collecting');
    expect(inDialog('Save Changes')).toBeDisabled();

    await addPending(more);
    await press('Save Changes');
    await addUrls.is('failed');
    // A URL added elsewhere is no longer pending.
    server.elsewhere.add(shop, more);
    await waitFor(() => expect(pending()).toEqual([]));
    addUrls.send({ type: 'urls.save' });
    await addUrls.is('collecting');
    playCall('addUrls', gone('project.notFound'));
    await type('https://three.example.org');
    await press('Save Changes');
    await addUrls.is('vanished');
  });

  test('a project can have at most a hundred URLs', async () => {
    const listed = Array.from({ length: 98 }, (_, index) => `https://site-${index}.example.org`);
    const { machine, open, press, type, addPending } = await openProjects(
      keepProjects({ name: shop, urls: listed }),
    );
    expect(urls()).toHaveLength(98);
    await open('addUrls');
    await addPending(one);
    await addPending('https://two.example.org');
    await addPending('https://three.example.org');
    expect(dialog().getByText('A project can have at most 100 URLs.')).toBeInTheDocument();
    await type('');
    await press('Save Changes');
    await machine('addUrls').is('succeeded');
    await waitFor(() => expect(urls()).toHaveLength(100));
  });
});

describe('removing a URL', () => {
  test('a URL is removed once, after confirmation, and a failure shows its error', async () => {
    const server = keepProjects(twoUrls);
    const { user, machine, open, press } = await openProjects(server);
    await open('removeUrl');
    await waitFor(() => expect(inDialog('Cancel')).toHaveFocus());
    await press('Cancel');
    await machine('removeUrl').is('closed');
    await noDialog();
    expect(server.asked.remove).toEqual([]);

    network.use(http.delete(projectCalls.remove, down, { once: true }));
    await open('removeUrl');
    await press('Remove');
    await machine('removeUrl').is('failed');
    await expectToast(
      'Error',
      'Failed to delete whitelist URL: The service is unavailable right now. Try again in a minute.',
    );
    expect(dialog().getByRole('alert')).toHaveTextContent(
      'Failed to delete whitelist URL: The service is unavailable right now. Try again in a minute.',
    );
    expect(inDialog('Remove')).toHaveFocus();

    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    network.use(http.delete(projectCalls.remove, () => held));
    await user.dblClick(inDialog('Remove'));
    await machine('removeUrl').is('working');
    expect(inDialog('Removing...')).toBeDisabled();
    release();
    await machine('removeUrl').is('succeeded');
    await expectToast('Whitelist URL removed successfully');
    await waitFor(() => expect(urls()).toEqual([known]));
    expect(server.asked.remove).toHaveLength(1);
    // The last URL has no Remove button.
    expect(detail().queryByRole('button', { name: `Remove ${known}` })).not.toBeInTheDocument();
    // The button that opened the dialog was removed with the URL.
    await noDialog();
    await waitFor(() => expect(openers.addUrls()).toHaveFocus());
  });

  test('a URL can no longer be removed once the others were removed elsewhere', async () => {
    const server = keepProjects(twoUrls);
    const { user, machine, press } = await openProjects(server);
    await user.click(opener(`Remove ${known}`));
    await waitFor(() => expect(inDialog('Cancel')).toHaveFocus());
    await user.tab();
    server.elsewhere.remove(shop, more);
    await expectSaid(
      `This is the only URL left: the others were removed ${elsewhereText}. Add another URL before you remove this one.`,
    );
    expect(dialog().queryByRole('button', { name: 'Remove' })).not.toBeInTheDocument();
    await waitFor(() => expect(inDialog('Close')).toHaveFocus());
    await press('Close');
    await machine('removeUrl').is('closed');
    await waitFor(() => expect(openers.addUrls()).toHaveFocus());
    expect(urls()).toEqual([known]);
  });

  test('the dialog reports a URL removed elsewhere, found in the list or in the response', async () => {
    const server = keepProjects({ name: shop, urls: [known, more, one] });
    const { machine, open, press } = await openProjects(server);
    const words = `This URL was already removed ${elsewhereText}.`;
    network.use(http.delete(projectCalls.remove, gone('project.urlNotFound'), { once: true }));
    await open('removeUrl');
    await press('Remove');
    await machine('removeUrl').is('vanished');
    await expectSaid(words);
    await press('Close');
    await noDialog();
    await open('removeUrl');
    server.elsewhere.remove(shop, more);
    await machine('removeUrl').is('vanished');
    await expectSaid(words);
    await press('Close');
    await machine('removeUrl').is('closed');
  });
});

describe('deleting a project', () => {
  test('a project can be deleted once, after confirmation, in the browser that created it', async () => {
    const server = keepProjects({ name: shop }, { name: 'Made elsewhere' });
    const { user, machine, open, press, address } = await openProjects(server);
    const deletion = machine('deleteProject');
    localStorage.removeItem(storageKeys.submittedProjects);
    submitted(String(server.found(shop)?.code));
    await open('deleteProject');
    await waitFor(() => expect(inDialog('Cancel')).toHaveFocus());
    await user.keyboard('{Escape}');
    await deletion.is('closed');
    await noDialog();
    network.use(http.delete(projectCalls.delete, down, { once: true }));
    await open('deleteProject');
    await press('Ok');
    await deletion.is('failed');
    const failure = 'Failed to delete project: The service is unavailable right now. Try again in a minute.';
    expect(dialog().getByRole('alert')).toHaveTextContent(failure);
    await expectToast('Error', failure);
    await user.dblClick(inDialog('Ok'));
    await deletion.is('succeeded');
    expect(server.asked.delete).toHaveLength(1);
    await expectToast('Project Deleted', shop);
    await title('Made elsewhere');
    expect(list().getAllByRole('link')).toHaveLength(1);
    expect(address()).toBe('/projects');
    expect(screen.queryByText(/was deleted in another tab/)).not.toBeInTheDocument();
    expect(localStorage.getItem(storageKeys.submittedProjects)).toBe('[]');
  });

  test('in a browser that did not create it, a project can be deleted by typing its name', async () => {
    const server = keepProjects({ name: shop }, { name: 'Made elsewhere' });
    const { user, machine, open, press, select } = await openProjects(server);
    localStorage.removeItem(storageKeys.submittedProjects);
    await select('Made elsewhere');
    await open('deleteProject');
    const field = () => dialog().getByRole('textbox', { name: 'Project name' });
    await waitFor(() => expect(field()).toHaveFocus());
    for (const wrong of ['', shop, 'made elsewhere', 'Made elsewhere 2']) {
      await user.clear(field());
      if (wrong !== '') await user.type(field(), wrong);
      await press('Ok');
      await waitFor(() => expect(field()).toHaveAccessibleDescription('This isn’t the name of the project.'));
      expect(machine('deleteProject').state()).toBe('confirming');
    }
    expect(server.asked.delete).toHaveLength(0);
    await user.clear(field());
    await user.type(field(), ' Made elsewhere {Enter}');
    await machine('deleteProject').is('succeeded');
    expect(server.asked.delete).toHaveLength(1);
    await expectToast('Project Deleted', 'Made elsewhere');
  });

  test('projects can be deleted one after another until none is left', async () => {
    const server = keepProjects({ name: shop }, { name: 'Second' });
    const { machine, ask, select } = await openProjects(server);
    for (const name of [shop, 'Second']) {
      await select(name);
      await ask('deleteProject');
      await machine('deleteProject').is('succeeded');
      await noDialog();
    }
    expect(await screen.findByText('There are no projects to display')).toBeInTheDocument();
  });

  test('deletion with a hosted project service only hides the button in this browser, and the dialog explains it', async () => {
    const { kept, asked } = keepProjects({ name: shop });
    submitted(String(kept[0]?.code));
    const { user, machine } = openPortal('/projects', { features: { embeddedProjects: false } });
    await title(shop);
    await user.click(openers.deleteProject());
    await expectSaid(
      `The project service doesn’t delete projects. ${shop} stays in My Projects and its API key still works. This only hides “Delete project” in this browser. To stop the key from working, update it.`,
    );
    await user.click(inDialog('Ok'));
    await machine('deleteProject').is('succeeded');
    await expectToast(
      '“Delete project” hidden',
      `${shop} stays in My Projects, and its API key still works.`,
    );
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Delete project' })).not.toBeInTheDocument(),
    );
    expect(screen.queryByText(/^You can delete this project/)).not.toBeInTheDocument();
    expect(entry(shop)).toBeInTheDocument();
    expect(asked.delete).toEqual([]);
  });
});

describe('a project deleted elsewhere', () => {
  const sentences: Record<Dialog, string> = {
    updateKey: `This project was deleted ${elsewhereText}, and its key no longer works.`,
    addUrls: `This project was deleted ${elsewhereText}, so you can’t add URLs to it.`,
    removeUrl: `This project was deleted ${elsewhereText}.`,
    deleteProject: `This project was already deleted ${elsewhereText}.`,
  };

  test.each(Object.entries(sentences) as [Dialog, string][])(
    'the dialog %s reports the deleted project before and after a failed attempt, and can then only be closed',
    async (name, sentence) => {
      const server = keepProjects(twoUrls, { ...twoUrls, name: 'Second' }, { ...twoUrls, name: 'Stays' });
      const { user, machine, open, press, ask, select } = await openProjects(server);
      await select(shop);
      await open(name);
      if (name !== 'addUrls') {
        await waitFor(() => expect(inDialog('Cancel')).toHaveFocus());
        await user.tab();
      }
      server.elsewhere.delete(shop);
      await machine(name).is('vanished');
      await expectSaid(sentence);
      await waitFor(() => expect(inDialog('Close')).toHaveFocus());
      if (name === 'deleteProject') await user.keyboard('{Escape}');
      else await press('Close');
      await machine(name).is('closed');
      await noDialog();
      const notice = screen.getByText(deletedNotice(shop)).closest('[tabindex="-1"]');
      await waitFor(() => expect(notice).toHaveFocus());
      expect(notice).toHaveTextContent('Its API key no longer works. Choose another project from the list.');

      await select('Second');
      expect(screen.queryByText(deletedNotice(shop))).not.toBeInTheDocument();
      playCall(name, down);
      await ask(name);
      await machine(name).is('failed');
      if (name !== 'addUrls') {
        await press('Cancel');
        await machine(name).is('closed');
        await noDialog();
        await ask(name);
        await machine(name).is('failed');
      }
      server.elsewhere.delete('Second');
      await machine(name).is('vanished');
      await press('Close');
      await noDialog();
      await select('Stays');
    },
  );

  test('the page reports the deletion of the only project above the empty list', async () => {
    const server = keepProjects({ name: shop });
    await openProjects(server);
    server.elsewhere.delete(shop);
    expect(await screen.findByText(deletedNotice(shop))).toBeInTheDocument();
    expect(screen.getByText('It was your only project.')).toBeInTheDocument();
    expect(screen.getByText('There are no projects to display')).toBeInTheDocument();
  });

  test('the dialog reports a deleted project by the response if the list doesn’t reflect it yet', async () => {
    const { machine, ask } = await openProjects(keepProjects(twoUrls));
    playCall('updateKey', gone('project.notFound'));
    await ask('updateKey');
    await machine('updateKey').is('vanished');
    await expectSaid(sentences.updateKey);
  });
});

test('a project renamed elsewhere stays shown, and an address with its old name gets its ID', async () => {
  const server = keepProjects({ name: 'Other' }, { name: shop });
  const { select, address } = await openProjects(server, '/projects?project=Acme+Shop');
  await title(shop);
  const { code } = server.found(shop) as { code: string };
  server.elsewhere.rename(shop, 'Renamed');
  await title('Renamed');
  await waitFor(() => expect(address()).toBe(`/projects?project=${code}`));
  expect(screen.queryByText(deletedNotice(shop))).not.toBeInTheDocument();
  await select('Other');
});

describe('renaming', () => {
  const nameInput = () => dialog().getByRole('textbox', { name: 'Project name' });

  test('shows the new name in panel, list, and the entry of this browser, and keeps the address', async () => {
    const server = keepProjects({ name: 'Other' }, { name: shop });
    const { user, select, press, address, machine } = await openProjects(server);
    await select(shop);
    const before = address();
    await user.click(opener('Rename'));
    expect(nameInput()).toHaveValue(shop);
    await waitFor(() => expect(nameInput()).toHaveFocus());
    await user.clear(nameInput());
    await user.paste('  Acme   Market ');
    await press('Rename');
    await title('Acme Market');
    await noDialog();
    await expectToast('Project Renamed', 'Acme Market');
    const { code } = server.found('Acme Market') as { code: string };
    expect(server.asked.rename).toEqual([{ code, projectName: 'Acme Market' }]);
    expect(entry('Acme Market')).toHaveAttribute('aria-current', 'true');
    expect(address()).toBe(before);
    const stored = JSON.parse(localStorage.getItem(storageKeys.submittedProjects) ?? '[]') as object[];
    expect(stored).toContainEqual(expect.objectContaining({ id: code, name: 'Acme Market' }));
    await machine('renameProject').is('succeeded');
    await waitFor(() => expect(opener('Rename')).toHaveFocus());
  });

  test.each([
    ['', 'Please enter a project name.'],
    ['a'.repeat(101), 'A project name can have at most 100 characters.'],
    ['Ac\u200bme', 'A project name can’t contain invisible or control characters.'],
    ['Other', 'Project name already taken'],
  ])('of %j is refused with the sentence of the wizard, and keeps what was typed', async (name, sentence) => {
    const server = keepProjects({ name: 'Other' }, { name: shop });
    const { user, select, press } = await openProjects(server);
    await select(shop);
    await user.click(opener('Rename'));
    await user.clear(nameInput());
    if (name) await user.paste(name);
    await press('Rename');
    await expectSaid(sentence);
    expect(nameInput()).toHaveValue(name);
    expect(server.kept.map(({ projectName }) => projectName)).toEqual(['Other', shop]);
  });

  test('to the same name sends nothing', async () => {
    const server = keepProjects({ name: shop });
    const { user, press } = await openProjects(server);
    await user.click(opener('Rename'));
    await press('Rename');
    await noDialog();
    expect(server.asked.rename).toEqual([]);
  });

  test('elsewhere, while a dialog is open, sends its change under the new name', async () => {
    const server = keepProjects(twoUrls);
    const { open, press } = await openProjects(server);
    await open('updateKey');
    server.elsewhere.rename(shop, 'Renamed');
    await title('Renamed');
    await press('Generate New Key');
    await waitFor(() => expect(server.asked.rotate).toEqual([{ projectName: 'Renamed' }]));
  });
});

describe('Back', () => {
  test('Back closes the dialogs of another project, but waits for a pending request', async () => {
    const server = keepProjects(twoUrls, { name: 'Other' });
    const { machine, open, ask, goBack, select, close } = await openProjects(server);
    for (const name of ['updateKey', 'removeUrl', 'deleteProject'] as const) {
      await select('Other');
      await select(shop);
      await open(name);
      await goBack();
      await machine(name).is('closed');
      await title('Other');
      await noDialog();
    }
    await select('Other');
    await select(shop);
    network.use(http.post(projectCalls.add, down, { once: true }));
    await ask('addUrls');
    await machine('addUrls').is('failed');
    await goBack();
    await machine('addUrls').is('closed');
    await title('Other');
    await noDialog();
    await select(shop);
    network.use(http.delete(projectCalls.remove, silence));
    await ask('removeUrl');
    await machine('removeUrl').is('working');
    await goBack();
    await title('Other');
    await machine('removeUrl').is('working');
    close();

    const again = await openProjects(server);
    await again.select('Other');
    await again.select(shop);
    await again.open('addUrls');
    expect(pending()).toEqual([one]);
    server.elsewhere.delete(shop);
    await again.machine('addUrls').is('vanished');
    await again.goBack();
    await again.machine('addUrls').is('closed');
    await title('Other');
    await noDialog();

    await again.goTo('/projects?project=No+such+project');
    await again.select('Other');
    await again.open('addUrls');
    await again.goBack();
    await again.machine('addUrls').is('closed');
    expect(await screen.findByText('There is no project called “No such project”')).toBeInTheDocument();
  });
});

describe('a new API key', () => {
  /** Whether the browser asks before it closes or reloads the page. */
  const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  test('a new key replaces the old one, and stays shown until the user explicitly dismisses it', async () => {
    const server = keepProjects({ name: shop });
    const old = String(server.found(shop)?.apiKey);
    const { user, machine, open, press, select, address, goTo, goBack } = await openProjects(server);
    await goTo('/faq');
    await goTo('/projects');
    await title(shop);
    await select(shop);
    const updateKey = machine('updateKey');
    const place = `/projects?project=${server.found(shop)?.code}`;
    await open('updateKey');
    await expectSaid('The old key stops working within a second. You can’t restore it.');
    await waitFor(() => expect(inDialog('Cancel')).toHaveFocus());
    await user.keyboard('{Escape}');
    await updateKey.is('closed');
    await noDialog();
    await waitFor(() => expect(openers.updateKey()).toHaveFocus());
    expect(server.asked.rotate).toEqual([]);

    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    network.use(http.post(projectCalls.rotate, () => held));
    await open('updateKey');
    await user.dblClick(inDialog('Generate New Key'));
    await updateKey.is('working');
    await user.keyboard('{Escape}');
    await goBack();
    await updateKey.is('working');
    expect(address()).toBe(place);
    release();
    await updateKey.is('succeeded.shown');
    expect(server.asked.rotate).toEqual([{ projectName: shop }]);
    const key = String(server.found(shop)?.apiKey);
    expect(key).not.toBe(old);
    expect(shownKey()).toHaveTextContent(key);
    await expectToast('API Key Updated', `New API key: ${key.slice(0, 8)}...`);
    await expectSaid(
      `${shop} has a new API key. The old one no longer works, so replace it wherever you use it.`,
    );
    expect(dialog().getByText('You can reveal it in My Projects at any time.')).toBeInTheDocument();

    for (const leave of [
      () => user.keyboard('{Escape}'),
      () => user.click(document.querySelector('.ant-modal-wrap') as HTMLElement),
      goBack,
    ]) {
      await leave();
      await updateKey.is('succeeded.asking');
      await expectSaid(
        'You haven’t copied the new key yet. You can still reveal it in My Projects. Close anyway?',
      );
      await press('Keep it open');
      await updateKey.is('succeeded.shown');
      expect(shownKey()).toHaveTextContent(key);
      expect(address()).toBe(place);
    }
    await press('Done');
    await updateKey.is('closed');
    await noDialog();
    await waitFor(() => expect(openers.updateKey()).toHaveFocus());
    await user.click(detail().getByRole('button', { name: 'Reveal API key' }));
    expect(keyText()).toHaveTextContent(key);
  });

  test('a new key that is replaced or deleted elsewhere is reported and stays shown until it is dismissed', async () => {
    const server = keepProjects({ name: shop });
    const { machine, ask, press } = await openProjects(server);
    await ask('updateKey');
    await machine('updateKey').is('succeeded.shown');
    const key = String(server.found(shop)?.apiKey);
    await waitFor(() => expect(keyText()).toHaveTextContent(new RegExp(`${key.slice(-4)}$`)));
    expect(screen.getByRole('dialog')).not.toHaveTextContent(/(replaced|deleted) in another tab/);
    server.elsewhere.rotate(shop);
    await expectSaid(
      `This key was replaced ${elsewhereText} and no longer works. The project shows the current one.`,
    );
    expect(screen.getByRole('dialog')).not.toHaveTextContent('You can reveal it');
    expect(shownKey()).toHaveTextContent(key);
    server.elsewhere.delete(shop);
    await expectSaid(`This project was deleted ${elsewhereText}, and this key no longer works.`);
    expect(shownKey()).toHaveTextContent(key);
    await press('Done');
    await machine('updateKey').is('closed');
    await noDialog();
    const notice = screen.getByText(deletedNotice(shop)).closest('[tabindex="-1"]');
    await waitFor(() => expect(notice).toHaveFocus());
  });

  test('a new key is not reported as replaced by a list that was fetched too early', async () => {
    const server = keepProjects({ name: shop });
    const { machine, open, press } = await openProjects(server);
    const stale = structuredClone(server.kept);
    const oldEnd = new RegExp(`${String(stale[0]?.apiKey).slice(-4)}$`);
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    network.use(
      http.get(projectCalls.list, async () => {
        await held;
        return json(stale);
      }),
    );
    await open('updateKey');
    await press('Generate New Key');
    await machine('updateKey').is('succeeded.shown');
    await waitFor(() => expect(keyText()).not.toHaveTextContent(oldEnd));
    release();
    await waitFor(() => expect(keyText()).toHaveTextContent(oldEnd));
    await expectSaid('You can reveal it');
    expect(screen.getByRole('dialog')).not.toHaveTextContent('replaced in another tab');
  });

  test.each(['Escape', 'another page'])(
    'an outdated new key can be left by %s without a question',
    async (way) => {
      const server = keepProjects({ name: shop });
      const { user, machine, ask, goTo, address } = await openProjects(server);
      await ask('updateKey');
      await machine('updateKey').is('succeeded.shown');
      server.elsewhere.rotate(shop);
      await expectSaid('replaced in another tab');
      if (way === 'Escape') await user.keyboard('{Escape}');
      else await goTo('/faq');
      await noDialog();
      expect(address()).toBe(way === 'Escape' ? '/projects' : '/faq');
    },
  );

  test('a new key copied by selecting it counts as copied, and other text does not', async () => {
    const server = keepProjects({ name: shop });
    const { machine, ask } = await openProjects(server);
    await ask('updateKey');
    await machine('updateKey').is('succeeded.shown');
    const copy = (element: Element) => {
      document.getSelection()?.selectAllChildren(element);
      fireEvent.copy(element);
    };
    await waitFor(() => expect(asksToStay()).toBe(true));
    copy(dialog().getByText(/has a new API key/));
    await rendered();
    expect(asksToStay()).toBe(true);
    copy(shownKey());
    await waitFor(() => expect(asksToStay()).toBe(false));
    document.getSelection()?.removeAllRanges();
  });

  test('a blocked navigation continues once the user gives up the new key, and a copied key can be left without a question', async () => {
    const server = keepProjects({ name: shop });
    const { user, machine, ask, press, goTo, goBack, address } = await openProjects(server);
    await goTo('/faq');
    await goTo('/projects');
    await title(shop);
    await ask('updateKey');
    await machine('updateKey').is('succeeded.shown');
    await waitFor(() => expect(asksToStay()).toBe(true));
    await goBack();
    await machine('updateKey').is('succeeded.asking');
    await press('Close without copying');
    await waitFor(() => expect(address()).toBe('/faq'));
    expect(asksToStay()).toBe(false);

    await goTo('/projects');
    await title(shop);
    await ask('updateKey');
    await machine('updateKey').is('succeeded.shown');
    await user.keyboard('{Escape}');
    await machine('updateKey').is('succeeded.asking');
    await press('Copy new API key');
    await machine('updateKey').is('succeeded.shown');
    expect(await copiedText()).toBe(server.found(shop)?.apiKey);
    await waitFor(() => expect(asksToStay()).toBe(false));
    await user.keyboard('{Escape}');
    await machine('updateKey').is('closed');
  });

  test('a failed key update shows its error in a toast and in the dialog, and can be retried', async () => {
    const { machine, open, press } = await openProjects(keepProjects({ name: shop }));
    const updateKey = machine('updateKey');
    const nothing = { type: 'key.update', project: null };
    updateKey.send(nothing);
    await expectToast('Error', 'No project selected');
    await updateKey.is('closed');
    await open('updateKey');
    playCall('updateKey', down);
    await press('Generate New Key');
    await updateKey.is('failed');
    await expectToast('Error', 'Failed to update API key. Please try again.');
    expect(dialog().getByRole('alert').textContent).toBe(
      'Failed to update API key: The service is unavailable right now. Try again in a minute.',
    );
    expect(inDialog('Generate New Key')).toHaveFocus();
    playCall('updateKey', () => HttpResponse.error());
    await press('Generate New Key');
    await waitFor(() =>
      expect(dialog().getByRole('alert')).toHaveTextContent('The server couldn’t be reached.'),
    );
    playCall('updateKey', () => HttpResponse.text(''));
    await press('Generate New Key');
    await expectToast('Error', 'No new API key received');
    await updateKey.is('failed');
    await press('Cancel');
    await updateKey.is('closed');
    await noDialog();
    await open('updateKey');
    localStorage.removeItem(storageKeys.accessToken);
    localStorage.removeItem(storageKeys.passportToken);
    await press('Generate New Key');
    await expectToast('Authentication Error', 'Please login to update API key');
    expect(dialog().getByRole('alert')).toHaveTextContent(
      'Authentication Error: Please login to update API key',
    );
  });

  test('a new key whose response was lost is found in the list and shown, not generated again', async () => {
    const server = keepProjects({ name: shop });
    const { machine, ask, press } = await openProjects(server);
    let asked = 0;
    playCall('updateKey', () => {
      asked += 1;
      const project = server.found(shop);
      if (project) project.apiKey = `oid_${'n'.repeat(33)}`;
      return HttpResponse.error();
    });
    await ask('updateKey');
    await machine('updateKey').is('succeeded');
    await expectToast('API Key Updated', 'New API key: oid_nnnn...');
    expect(shownKey()).toHaveTextContent(`oid_${'n'.repeat(33)}`);
    expect(asked).toBe(1);
    await press('Done');
    await noDialog();
    await waitFor(() => expect(openers.updateKey()).toHaveFocus());
  });

  test('a new key disappears with the page when the user signs out in another tab', async () => {
    const { machine, ask, address } = await openProjects(keepProjects({ name: shop }));
    await ask('updateKey');
    await machine('updateKey').is('succeeded.shown');
    for (const key of [storageKeys.accessToken, storageKeys.refreshToken, storageKeys.passportToken]) {
      localStorage.removeItem(key);
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage })));
    }
    await waitFor(() => expect(address()).toBe('/login'));
    await noDialog();
  });
});

describe('a server that does not respond', () => {
  beforeEach(() => void jest.useFakeTimers({ advanceTimers: true }));

  test.each(['updateKey', 'addUrls', 'removeUrl', 'deleteProject'] as const)(
    'the dialog %s waits at most 30 seconds for a response, and does not send the request again',
    async (name) => {
      const { machine, ask } = await openProjects(keepProjects(twoUrls));
      let sent = 0;
      playCall(name, () => {
        sent += 1;
        return silence();
      });
      await ask(name);
      await machine(name).is('working');
      await waitFor(() => expect(sent).toBe(1));
      act(() => void jest.advanceTimersByTime(29_000));
      expect(machine(name).state()).toBe('working');
      act(() => void jest.advanceTimersByTime(1_000));
      await machine(name).is('failed');
      await expectSaid('The server didn’t respond within 30 s');
      expect(sent).toBe(1);
    },
  );
});
