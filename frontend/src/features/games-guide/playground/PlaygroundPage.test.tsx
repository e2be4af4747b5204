import { expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { json, network, silence } from '../../../testing/network';
import { openPortal } from '../../../testing/open.portal';

const kept = '/api/projects/orange-k3x9p2m7qa/games/coin-rush';
const keptPath = '/games-sdk-integration-guide/playground?project=orange-k3x9p2m7qa&game=coin-rush';
const path = '/games-sdk-integration-guide/playground';
/** The local server of the tests. */
const local = 'http://127.0.0.1:8080';
const play = () => screen.findByRole('button', { name: 'Play as yourself' });
const frame = () => screen.queryByTitle<HTMLIFrameElement>('Game');

test('starts the sample on the playground’s origin, in a sandbox, and shows every check', async () => {
  openPortal(path, { as: 'visitor' });
  expect(await screen.findByRole('heading', { name: 'Game Playground', level: 1 })).toBeVisible();
  expect(frame()?.src).toBe('http://playground.localhost/run.html');
  expect(frame()?.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-pointer-lock');
  const checks = within(screen.getByRole('list', { name: 'Checks' })).getAllByRole('listitem');
  expect(checks).toHaveLength(12);
  expect(screen.getByRole('status', { name: '' })).toHaveTextContent('Loading');
  expect(screen.getByRole('button', { name: 'Pause' })).toBeDisabled();
});

test('without an origin for games the sample runs in a sandbox without any, and files are off, with the reason', async () => {
  openPortal(path, { as: 'visitor', playgroundOrigin: null });
  expect(await screen.findByText(/only the sample and games on your own computer run here/)).toBeVisible();
  expect(frame()).toHaveAttribute('src', '/sdk/sample/index.html');
  expect(frame()).toHaveAttribute('sandbox', 'allow-scripts allow-pointer-lock');
  expect(screen.getByRole('radio', { name: 'Your files' })).toBeDisabled();
  expect(screen.getByRole('switch', { name: 'Mute' })).toBeVisible();
  expect(screen.queryByRole('switch', { name: 'Slow network' })).toBeNull();
});

test('opens a game on this computer, and refuses any other address with the reason', async () => {
  network.use(http.head(`${local}/game/`, () => new HttpResponse()));
  const { user } = openPortal(path, { as: 'visitor' });
  await user.click(await screen.findByText('Local address'));
  const field = screen.getByRole('textbox', { name: 'Address of the game' });
  for (const address of [
    '',
    'localhost:8080',
    'https://evil.example.com',
    'http://localhost.evil.example.com',
    'javascript:1',
  ]) {
    await user.clear(field);
    if (address !== '') await user.type(field, address);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByRole('alert')).toHaveTextContent('such as http://localhost:8080');
  }
  await user.clear(field);
  await user.type(field, 'http://127.0.0.1:8080/game/');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(frame()?.src).toBe('http://127.0.0.1:8080/game/');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a local address where nothing answers says so, and Try again opens it again', async () => {
  let isDown = true;
  network.use(http.head(`${local}/`, () => (isDown ? HttpResponse.error() : new HttpResponse())));
  const { user, machine } = openPortal(path, { as: 'visitor' });
  await user.click(await screen.findByText('Local address'));
  await user.type(screen.getByRole('textbox', { name: 'Address of the game' }), local);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Nothing answered at http://127.0.0.1:8080. Is your server running?',
  );
  await machine('gameHost').is('unanswered');
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(frame()?.src).toBe(`${local}/`);
});

test('a local address that stays silent says so after five seconds', async () => {
  network.use(http.head(`${local}/`, silence));
  const patience = jest.spyOn(AbortSignal, 'timeout');
  const { user } = openPortal(path, { as: 'visitor' });
  await user.click(await screen.findByText('Local address'));
  await user.type(screen.getByRole('textbox', { name: 'Address of the game' }), local);
  const timeout = new AbortController();
  patience.mockReturnValue(timeout.signal);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(patience).toHaveBeenCalledWith(5_000));
  expect(screen.queryByRole('alert')).toBeNull();
  timeout.abort();
  expect(await screen.findByRole('alert')).toHaveTextContent('Nothing answered');
});

test('a game of the reader’s starts with an empty place, and a zip that can’t be a game leaves it empty, with the reason', async () => {
  const { user } = openPortal(path, { as: 'visitor' });
  await user.click(await screen.findByText('Your files'));
  expect(screen.getByText('Choose a game above. It runs here, with its checks.')).toBeVisible();
  expect(
    screen.getByText('Your files stay on this computer until you reload. Nothing is uploaded.'),
  ).toBeVisible();
  expect(frame()).toBeNull();
  const { zipSync, strToU8 } = await import('fflate');
  const bytes = zipSync({ 'index.html': strToU8('<p>'), 'game.js': strToU8('play()') });
  await user.upload(screen.getByTestId('zip'), new File([new Uint8Array(bytes)], 'snake.zip'));
  expect(await screen.findByText('2 files, 9 bytes')).toBeVisible();
  expect(screen.getByText('snake.zip')).toBeVisible();
  expect(frame()?.src).toBe('http://playground.localhost/run.html');
  await user.upload(
    screen.getByTestId('zip'),
    new File(['text'], 'report.json', { type: 'application/zip' }),
  );
  expect(await screen.findByRole('alert')).toHaveTextContent('report.json isn’t a zip file.');
  expect(frame()).toBeNull();
  expect(screen.queryByRole('list', { name: 'Checks' })).toBeNull();
});

test('what was found is summed up, with the report and the form for games', async () => {
  openPortal(path, { as: 'visitor' });
  expect(await screen.findByRole('status', { name: 'Summary' })).toHaveTextContent(
    '3 of 12 passed, 7 waiting, 2 not checked',
  );
  expect(screen.getByText('Orange Catch')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Download report' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Submit your game' })).toHaveAttribute(
    'href',
    'https://forms.example.com/games',
  );
});

test('asks whether the game fills the screen once it was in full screen', async () => {
  const { user } = openPortal(path, { as: 'visitor' });
  await screen.findByRole('list', { name: 'Checks' });
  expect(screen.queryByRole('group', { name: 'Does the game fill the screen?' })).toBeNull();
  Object.assign(frame() as HTMLIFrameElement, { requestFullscreen: async () => undefined });
  await user.click(screen.getByRole('button', { name: 'Full screen' }));
  await user.click(await screen.findByRole('button', { name: 'Yes' }));
  expect(await screen.findByText('You saw it fill the screen')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Yes' })).toHaveAttribute('aria-pressed', 'true');
});

test('keeps data in the project that the address names, and says so', async () => {
  network.use(http.get(`${kept}/data`, () => json({ data: { best: 7 }, version: 2, saved_at: null })));
  const { user } = openPortal(keptPath);
  await user.click(await play());
  await user.click(await screen.findByText('Saved data'));
  expect(screen.getByText('{"best":7}')).toBeVisible();
  expect(screen.getByText('Your project keeps this data.')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Save in this browser instead' }));
  expect(await screen.findByText('This browser keeps the data of each game.')).toBeVisible();
});

test('asks before a user becomes a player of the project, and sends and runs nothing before', async () => {
  const sent: string[] = [];
  network.use(
    http.all(`${kept}/*`, ({ request }) => {
      sent.push(request.url);
      return json({ data: null, version: 0, saved_at: null });
    }),
  );
  const { user } = openPortal(keptPath);
  const button = await play();
  expect(screen.getByText(/you count as one of its users/)).toBeVisible();
  expect([sent, frame()]).toEqual([[], null]);
  await user.click(button);
  await waitFor(() => expect(frame()).not.toBeNull());
  expect(sent).toHaveLength(1);
});

test('a project whose data can’t be read shows the reason, and is read again on Retry', async () => {
  let isDown = true;
  network.use(
    http.get(`${kept}/data`, () =>
      isDown
        ? json({ message: 'No such game', code: 'game.notFound' }, 404)
        : json({ data: null, version: 0, saved_at: null }),
    ),
  );
  const { user } = openPortal(keptPath);
  await user.click(await play());
  expect(await screen.findByText('No such game.')).toBeVisible();
  expect(frame()).toBeNull();
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(frame()).not.toBeNull());
});

test('a visitor’s data stays in the browser, with a link to sign in and come back', async () => {
  localStorage.setItem('playground-data:orange-k3x9p2m7qa/coin-rush', '{"best":3}');
  const { user } = openPortal(keptPath, { as: 'visitor' });
  expect(await screen.findByRole('status', { name: '' })).toHaveTextContent('Loading');
  expect(screen.getByText('coin-rush')).toBeVisible();
  await user.click(screen.getByText('Saved data'));
  expect(screen.getByText('{"best":3}')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Sign in' }));
  expect(sessionStorage.getItem('orange-id.left-page')).toContain('project=orange-k3x9p2m7qa&game=coin-rush');
});

test('at sign-in, what the browser kept moves to a project that has nothing yet, and leaves the browser', async () => {
  localStorage.setItem('playground-data:orange-k3x9p2m7qa/coin-rush', '{"best":3}');
  localStorage.setItem('playground-data:sample', '{"best":99}');
  const sent: unknown[] = [];
  network.use(
    http.get(`${kept}/data`, () => json({ data: null, version: 0, saved_at: null })),
    http.put(`${kept}/data`, async ({ request }) => {
      sent.push(await request.json());
      return json({ version: 1, saved_at: '2026-01-31T12:00:00.000Z' });
    }),
  );
  const { user } = openPortal(keptPath);
  await user.click(await play());
  await user.click(await screen.findByText('Saved data'));
  expect(screen.getByText('{"best":3}')).toBeVisible();
  await waitFor(() => expect(localStorage.getItem('playground-data:orange-k3x9p2m7qa/coin-rush')).toBeNull());
  expect(sent).toEqual([{ data: { best: 3 }, version: 0 }]);
  expect(localStorage.getItem('playground-data:sample')).toBe('{"best":99}');
});

test('the printed report names the game, and what was found and expected of every check', async () => {
  const print = jest.fn();
  window.print = print;
  const { user } = openPortal(path, { as: 'visitor' });
  await user.click(await screen.findByRole('button', { name: 'Print report' }));
  expect(print).toHaveBeenCalledTimes(1);
  const report = screen.getByText('Report on the game “sample”').parentElement as HTMLElement;
  expect(report.parentElement).toBe(document.body);
  expect(report.querySelectorAll('tbody tr')).toHaveLength(12);
  expect(report).toHaveTextContent(/SizeNot checkedUse a zip or a folderUnder 7 MB/);
  fireEvent(window, new Event('afterprint'));
  expect(report).not.toBeInTheDocument();
});
