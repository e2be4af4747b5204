import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { defaultAppearance } from '@orange-id/contract/appearance';
import { limits } from '@orange-id/contract/limits';
import {
  frameTimeoutMs,
  fromConfigurator,
  type ToConfigurator,
} from '@orange-id/contract/configurator.protocol';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { MessageChannel as NodeChannel } from 'node:worker_threads';
import { json, network, refusal, someone } from '../../testing/network';
import { config, openPortal } from '../../testing/open.portal';

// The tests' own channel serves React's scheduler only.
const testChannel = globalThis.MessageChannel;
const open: MessagePort[] = [];
beforeAll(() => {
  globalThis.MessageChannel = NodeChannel as unknown as typeof MessageChannel;
});
afterEach(() => open.splice(0).forEach((port) => port.close()));
afterAll(() => {
  globalThis.MessageChannel = testChannel;
});

const project = {
  id: '1',
  code: 'orange-abcdefghij',
  projectName: 'Acme',
  apiKey: 'oid_0000000000000000000000000003p0gjZ',
  urls: ['https://acme.example.com'],
  createdAt: '2026-11-01T00:00:00.000Z',
  lastUpdatedAt: '2026-11-01T00:00:00.000Z',
};
const path = `/api/projects/${project.code}/appearance`;
const version = (number: number) => ({
  version: number,
  savedAt: '2026-11-02T00:00:00.000Z',
  savedBy: 'Ada',
  appearance: { ...defaultAppearance, radius: number },
  preview: null,
});

function openPage({ projects = [project], versions = [version(1)] } = {}) {
  network.use(
    http.get('/devportal/v1/user/projects', () => json(projects)),
    http.get(path, () => json({ versions })),
  );
  return openPortal('/customisation');
}

/** Speaks for the frame, which jsdom does not load. */
async function connect() {
  const frame = await screen.findByTitle<HTMLIFrameElement>('Widget configurator');
  const answers: MessagePort[] = [];
  const inner = frame.contentWindow as Window;
  jest.spyOn(inner, 'postMessage').mockImplementation(((
    _message: unknown,
    _origin: string,
    ports: MessagePort[],
  ) => {
    answers.push(...ports);
  }) as never);
  const say = (source: Window, origin: string) =>
    fireEvent(window, new MessageEvent('message', { source, origin, data: { type: 'configurator.hello' } }));
  say(window, 'null');
  say(inner, 'https://evil.example');
  expect(answers).toEqual([]);
  say(inner, 'null');
  say(inner, 'null');
  expect(answers).toHaveLength(1);
  const heard: ToConfigurator[] = [];
  const [port] = answers as [MessagePort];
  open.push(port);
  port.onmessage = ({ data }) => heard.push(data as ToConfigurator);
  const send = (message: unknown) => port.postMessage(message);
  const hear = (type: ToConfigurator['type']) =>
    waitFor(() => expect(heard.map((message) => message.type)).toContain(type));
  send({ type: 'ready' });
  await hear('open');
  return { frame, heard, send, hear };
}

const save = { type: 'save', base: 1, appearance: { ...defaultAppearance, radius: 3 }, preview: null };

test('answers one hello of its own frame with a port, and opens the project there', async () => {
  openPage();
  const { frame, heard } = await connect();
  expect(frame).toHaveAttribute('sandbox', 'allow-scripts allow-downloads');
  const opened = heard.find(({ type }) => type === 'open');
  expect(opened).toMatchObject({ project: { name: 'Acme' }, versions: [version(1)], draft: null });
  expect(JSON.stringify(heard)).not.toContain(project.apiKey);
});

test('saves for the frame, says when another save came first, and why a save failed', async () => {
  openPage();
  const { send, hear, heard } = await connect();
  let status = 200;
  network.use(
    http.put(path, async ({ request }) => {
      expect(request.headers.get('authorization')).toMatch(/^Bearer /);
      expect(await request.json()).toEqual({ base: 1, appearance: save.appearance, preview: null });
      if (status === 200) return json({ version: 2 });
      return status === 409
        ? refusal(409, 'Saved elsewhere', 'appearance.changed')
        : refusal(status, 'Not now');
    }),
  );
  send(save);
  await hear('saved');
  status = 409;
  send(save);
  await hear('conflicted');
  // The editor waits for an answer also if the newer look can't be loaded.
  network.use(http.get(path, () => refusal(503, 'Busy')));
  send(save);
  await hear('refused');
  heard.length = 0;
  status = 500;
  send(save);
  await hear('refused');
  expect(heard.at(-1)).toMatchObject({ message: expect.any(String) });
});

test('uploads the bytes that the frame read from a file, and ignores more than a picture may have', async () => {
  openPage();
  const { send, hear, heard } = await connect();
  const received: unknown[] = [];
  network.use(
    http.post(`${path}/picture`, async ({ request }) => {
      const file = (await request.formData()).get('file') as File;
      received.push([file.type, await file.text()]);
      return json({ picture: `/pictures/${'a'.repeat(32)}.webp` });
    }),
  );
  const upload = { type: 'upload', mediaType: 'image/png' };
  send({ ...upload, id: 1, bytes: new ArrayBuffer(limits.avatarMaxBytes) });
  send({ ...upload, id: 2, bytes: new TextEncoder().encode('bytes').buffer });
  await hear('uploaded');
  expect(received).toEqual([['image/png', 'bytes']]);
  expect(heard.at(-1)).toEqual({ type: 'uploaded', id: 2, picture: `/pictures/${'a'.repeat(32)}.webp` });
});

test('keeps an unsaved look over a reload, and asks before the page is left', async () => {
  const { goTo, user } = openPage();
  const { send } = await connect();
  send({ type: 'draft', appearance: save.appearance });
  await waitFor(() => expect(sessionStorage.getItem(`customisation.draft:${project.code}`)).not.toBeNull());
  await waitFor(() =>
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false),
  );
  void goTo('/keys');
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  send({ type: 'draft', appearance: null });
  await waitFor(() => expect(sessionStorage.getItem(`customisation.draft:${project.code}`)).toBeNull());
});

test('keeps the editor when the projects can’t be loaded again, and says so', async () => {
  openPage();
  await connect();
  const frame = screen.getByTitle('Widget configurator');
  network.use(http.get('/devportal/v1/user/projects', () => refusal(503, 'Not now')));
  jest.useFakeTimers({ advanceTimers: true, now: Date.now() + limits.projectsFreshMs + 1_000 });
  for (const name of ['offline', 'online']) fireEvent(window, new Event(name));
  expect(await screen.findByText('Failed to load projects')).toBeVisible();
  expect(screen.getByTitle('Widget configurator')).toBe(frame);
});

test('a hosted configurator keeps its own origin, and only a frame on that origin is answered', async () => {
  const { links } = config;
  links.configurator = 'https://look.example.com/editor';
  try {
    openPage();
    const frame = await screen.findByTitle<HTMLIFrameElement>('Widget configurator');
    expect(frame.src).toBe('https://look.example.com/editor');
    expect(frame.getAttribute('sandbox')).not.toMatch(/top-navigation|popups|modals/);
    const inner = frame.contentWindow as Window;
    const answered = jest.spyOn(inner, 'postMessage').mockImplementation(() => undefined);
    for (const origin of ['null', 'https://evil.example.com', 'https://look.example.com.evil.example']) {
      const hello = { type: 'configurator.hello' };
      fireEvent(window, new MessageEvent('message', { source: inner, origin, data: hello }));
    }
    expect(answered).not.toHaveBeenCalled();
    const origin = 'https://look.example.com';
    const data = { type: 'configurator.hello' };
    fireEvent(window, new MessageEvent('message', { source: inner, origin, data }));
    // To that origin only: the frame could have navigated meanwhile.
    expect(answered.mock.calls as unknown[][]).toEqual([
      [{ type: 'configurator.port' }, origin, [expect.anything()]],
    ]);
  } finally {
    links.configurator = null;
  }
});

test('a frame that does not answer says so, and Retry loads it again', async () => {
  jest.useFakeTimers();
  const { user } = openPage();
  const first = await screen.findByTitle('Widget configurator');
  // The browser's own error page would show through.
  expect(first).not.toBeVisible();
  act(() => jest.advanceTimersByTime(frameTimeoutMs));
  expect(await screen.findByText('Failed to load the configurator')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByTitle('Widget configurator')).not.toBe(first);
});

test('ignores what is no message of the protocol', () => {
  for (const message of [null, 'save', { type: 'save' }, { ...save, token: 'x' }, { type: 'open' }, []]) {
    expect(fromConfigurator.safeParse(message).success).toBe(false);
  }
});

test('leads to the wizard without a project', async () => {
  openPage({ projects: [] });
  expect(await screen.findByText('There are no projects to customise')).toBeVisible();
});

test('says where appearance is managed with a hosted identity service', async () => {
  const { baseUrl } = config.identity;
  config.identity.baseUrl = 'https://id.example.com';
  network.use(http.get('https://id.example.com/api/v1/auth/user', () => json(someone)));
  try {
    openPage();
    expect(await screen.findByText('Appearance is managed at the identity service')).toBeVisible();
  } finally {
    config.identity.baseUrl = baseUrl;
  }
});
