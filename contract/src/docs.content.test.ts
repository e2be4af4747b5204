import { describe, expect, test } from '@jest/globals';
import { appRoutes } from './app.routes.js';
import type { DocsBlock } from './docs.blocks.js';
import { docsSections } from './docs.content.js';
import { docsMarkdown, llmsText } from './docs.markdown.js';
import { docsGroups, findInDocs } from './docs.reference.js';
import { docsTabOf, docsTabs } from './docs.tabs.js';
import { illustratedPaths, meteredPaths } from './metered.paths.js';

const baseUrl = 'https://portal.example.com';
const { overview, authentication } = docsSections(baseUrl, baseUrl);
const sections = [...overview, ...authentication];
const endpoints = docsGroups.flatMap((group) => group.endpoints);
const anchors = [
  ...Object.keys(docsTabs),
  'overview-endpoints',
  ...sections.map(({ id }) => id),
  ...docsGroups.map(({ id }) => id),
  ...endpoints.map(({ id }) => id),
];

const textsOf = (block: DocsBlock): readonly string[] => {
  if ('text' in block) return [block.text];
  if ('list' in block) return block.list;
  return 'table' in block ? block.table.rows.flat() : [];
};

describe('the documentation', () => {
  test('has every endpoint once, callable or an illustration, under one of the five groups', () => {
    const calls = [...Object.values(meteredPaths), ...Object.values(illustratedPaths)];
    expect(endpoints.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      calls.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(docsGroups.map(({ title }) => title)).toEqual([
      'Wallet APIs',
      'Token APIs',
      'DeFi APIs',
      'Game APIs',
      'Key APIs',
    ]);
    expect(endpoints.filter(({ route }) => !route).map(({ path }) => path)).toEqual([
      '/api/v1/defi/pools',
      '/api/v1/defi/swap',
      '/api/v1/defi/yields',
    ]);
  });

  test('gives every section, group and endpoint its own anchor, which names its tab', () => {
    expect(new Set(anchors).size).toBe(anchors.length);
    for (const { id } of overview) expect(docsTabOf(`#${id}`)).toBe('overview');
    for (const { id } of authentication) expect(docsTabOf(`#${id}`)).toBe('authentication');
    for (const { id } of [...docsGroups, ...endpoints])
      expect([id, docsTabOf(`#${id}`)]).toEqual([id, 'reference']);
    expect(['', '#', '#no-such', '#constructor', '#__proto__-x'].map(docsTabOf)).toEqual(
      Array.from({ length: 5 }, () => 'overview'),
    );
  });

  test('links only to anchors, pages and documents that exist', () => {
    const targets = sections
      .flatMap(({ blocks }) => blocks.flatMap(textsOf))
      .flatMap((text) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to));
    expect(targets.length).toBeGreaterThan(10);
    const lost = targets.filter((to) => {
      const { pathname, hash } = new URL(to, `${baseUrl}/docs`);
      const isKnown =
        Object.hasOwn(appRoutes, pathname) ||
        ['/api/openapi.json', '/docs.md', '/llms.txt', '/.well-known/openid-configuration'].includes(
          pathname,
        );
      return !isKnown || (hash !== '' && !anchors.includes(hash.slice(1)));
    });
    expect(lost).toEqual([]);
  });

  test('names the four security tips and the header of the key', () => {
    const tips = sections.find(({ id }) => id === 'authentication-tips')?.blocks.flatMap(textsOf) ?? [];
    expect(tips.map((tip) => /^\*\*(.+?)\*\*/.exec(tip)?.[1])).toEqual([
      'Never expose keys client-side.',
      'Use environment variables.',
      'Rotate keys.',
      'Monitor usage.',
    ]);
    expect(JSON.stringify(authentication)).toContain('An API key is sent in a request header, `X-API-Key`');
  });
});

describe('the search of the documentation', () => {
  const found = (text: string) =>
    findInDocs(text).map(({ title, endpoints: those }) => [title, those.map(({ path }) => path)]);

  test.each([
    ['WALLET api', [['Wallet APIs', 4]]],
    ['prices', [['Token APIs', 3]]],
    ['/tokens/{id}', [['Token APIs', 1]]],
    ['eip-4361', [['Wallet APIs', 1]]],
    ['List pools', [['DeFi APIs', 1]]],
    ['no such thing', []],
    ['<script>', []],
  ])('finds by title, description or path: %s', (text, expected) => {
    const counted = found(text).map(([title, paths]) => [title, paths?.length]);
    expect(counted).toEqual(expected);
  });

  test('finds everything with a blank text', () => {
    expect(findInDocs(' \t')).toBe(docsGroups);
  });
});

describe('the documentation as Markdown', () => {
  const text = docsMarkdown(baseUrl, baseUrl);

  test('contains every section, and every endpoint with its parameters, body and samples', () => {
    const missing: string[] = [];
    const need = (part: string) => text.includes(part) || missing.push(part);
    for (const { title } of sections) need(`\n### ${title}\n`);
    for (const { method, path, title, description, route } of endpoints) {
      need(`\n#### ${title}\n\n\`${method} ${path}\`\n\n${description}\n`);
      for (const { name, description: help } of route?.parameters ?? []) {
        need(`| \`${name}\` | `);
        need(help);
      }
      if (route?.bodyExample !== undefined) need(JSON.stringify(route.bodyExample, null, 2));
      for (const { body } of route?.samples ?? []) need(JSON.stringify(body, null, 2));
    }
    expect(missing).toEqual([]);
  });

  test('has absolute links, whole tables and closed code blocks', () => {
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
    expect(targets.filter((to) => !to.startsWith(`${baseUrl}/`))).toEqual([]);
    expect(text.split('\n').filter((line) => line.startsWith('```')).length % 2).toBe(0);
    const columns = (line: string) => line.replaceAll('\\|', '').split('|').length;
    const tables = text.split(/\n(?!\|)/).filter((part) => part.startsWith('|') || part.includes('\n|'));
    expect(tables.length).toBeGreaterThan(4);
    for (const table of tables) {
      const counts = table
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .map(columns);
      expect(new Set(counts).size).toBe(1);
    }
  });

  test('is listed for language models with every callable endpoint', () => {
    const list = llmsText(baseUrl);
    expect(list).toMatch(/^# Orange ID developer portal\n\n> /);
    expect(list).toContain(`(${baseUrl}/docs.md)`);
    expect(list).toContain(`(${baseUrl}/api/openapi.json)`);
    const paths = [...list.matchAll(/^- \[(\w+ \/\S+)\]/gm)].map(([, call]) => call);
    expect(paths).toEqual(Object.values(meteredPaths).map(({ method, path }) => `${method} ${path}`));
  });
});
