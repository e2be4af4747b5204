import { expect, test } from '@jest/globals';
import { gamesGuideMarkdown } from './docs.markdown.js';
import { gamesGuide } from './games.guide.js';
import type { PublicConfig } from './config.schema.js';

test('the guide for games as Markdown has every section, absolute links, and only the cards that lead somewhere', () => {
  const links = { gameForm: 'https://forms.example.com', gameListing: null, gameRepository: null };
  const portal = 'https://portal.example.com';
  const text = gamesGuideMarkdown(portal, links as PublicConfig['links']);
  for (const { title } of gamesGuide(portal)) expect(text).toContain(`\n## ${title}\n`);
  expect(text).toContain(`](${portal}/games-sdk-integration-guide#install)`);
  expect(text).toContain('[Submit your game](https://forms.example.com)');
  expect(text).not.toContain('See listed games');
  for (const [, target] of text.matchAll(/\]\(([^)]*)\)/g)) expect(target).toMatch(/^https:\/\//);
});
