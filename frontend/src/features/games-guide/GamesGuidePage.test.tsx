import { expect, test } from '@jest/globals';
import { gamesGuide } from '@orange-id/contract/games.guide';
import { screen, within } from '@testing-library/react';
import { openPortal } from '../../testing/open.portal';

test('the guide has all sections, with links to each, and describes itself to search engines', async () => {
  openPortal('/games-sdk-integration-guide');
  expect(await screen.findByRole('heading', { name: 'Games SDK Guide', level: 1 })).toBeTruthy();
  const contents = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
  expect(contents.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ...gamesGuide('').map(({ id, title }) => [title, `/games-sdk-integration-guide#${id}`]),
    ['Playground', '/games-sdk-integration-guide#playground'],
    ['Downloads and links', '/games-sdk-integration-guide#downloads'],
  ]);
  expect(document.title).toBe('Games SDK Guide · Orange ID developer portal');
  expect(document.querySelector('meta[name=keywords]')?.getAttribute('content')).toContain('HTML5 game SDK');
});

test('cards lead to the downloads and to the operator’s pages; a card without a target is not shown', async () => {
  openPortal('/games-sdk-integration-guide');
  const cards = within(await screen.findByRole('region', { name: 'Downloads and links' }));
  const links = cards.getAllByRole('link').filter((link) => !link.textContent?.startsWith('#'));
  expect(links.map((link) => [link.querySelector('strong')?.textContent, link.getAttribute('href')])).toEqual(
    [
      ['Download the build file', '/sdk/orange-game.js'],
      ['Download the npm package', '/sdk/orange-game-sdk.tgz'],
      ['Submit your game', 'https://forms.example.com/games'],
      ['See listed games', 'https://games.example.com'],
    ],
  );
});

test('a page view is added to the data layer, without the query', async () => {
  window.dataLayer = [{ event: 'of the operator' }];
  openPortal('/games-sdk-integration-guide?token=secret#install');
  await screen.findByRole('heading', { name: 'Games SDK Guide', level: 1 });
  expect(window.dataLayer).toEqual([
    { event: 'of the operator' },
    {
      event: 'page_view',
      page_path: '/games-sdk-integration-guide',
      page_location: 'http://localhost/games-sdk-integration-guide',
      page_title: 'Games SDK Guide',
    },
  ]);
  delete window.dataLayer;
});

test('the guide plays the sample at a press, and leads to the playground’s own page', async () => {
  const { user } = openPortal('/games-sdk-integration-guide#playground');
  const section = within(await screen.findByRole('region', { name: 'Playground' }));
  expect(section.getByRole('link', { name: 'a page of its own' })).toHaveAttribute(
    'href',
    '/games-sdk-integration-guide/playground',
  );
  expect(screen.queryByTitle('Game')).toBeNull();
  await user.click(section.getByRole('button', { name: 'Play the sample here' }));
  expect(await section.findByTitle('Game')).toHaveAttribute('src', 'http://playground.localhost/run.html');
  expect(section.getByRole('list', { name: 'Checks' })).toBeVisible();
});
