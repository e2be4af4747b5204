import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { openPortal } from '../../../testing/open.portal';

const path = '/games-sdk-integration-guide/playground';
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

test('opens a game on this computer, and refuses any other address with the reason', async () => {
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

test('a zip that can’t be a game is refused with the reason, and the game before it goes on', async () => {
  const { user } = openPortal(path, { as: 'visitor' });
  await user.click(await screen.findByText('Your files'));
  await user.upload(screen.getByTestId('zip'), new File(['text'], 'game.zip', { type: 'application/zip' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('game.zip isn’t a zip that can be read');
  expect(frame()?.src).toBe('http://playground.localhost/run.html');
});
