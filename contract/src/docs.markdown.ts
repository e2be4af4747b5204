import { curlFor, keyPlaceholder } from './call.snippets.js';
import type { DocsBlock, DocsLanguage, DocsSection } from './docs.blocks.js';
import { docsSections } from './docs.content.js';
import { docsTabs } from './docs.tabs.js';
import { gamesGuide, gamesGuideCards, gamesGuideLead, gamesGuidePath, targetOf } from './games.guide.js';
import type { PublicConfig } from './config.schema.js';
import { docsGroups, type DocsEndpoint } from './docs.reference.js';
import { exampleCall } from './example.call.js';

/** Links with a path or an anchor get the portal's address, because the file is read outside the portal. */
const withAddresses = (text: string, baseUrl: string, page = '/docs'): string =>
  text.replaceAll('](#', `](${baseUrl}${page}#`).replaceAll('](/', `](${baseUrl}/`);

const fence = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``;

const fenceNames: Record<DocsLanguage, string> = {
  Terminal: 'sh',
  HTTP: 'http',
  JSON: 'json',
  HTML: 'html',
  JSX: 'jsx',
  JavaScript: 'js',
  Python: 'python',
};

/** A cell ends at `|`. */
const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function blockText(block: DocsBlock): string {
  if ('text' in block) return block.text;
  if ('list' in block) return block.list.map((item) => `- ${item}`).join('\n');
  if ('table' in block) return table(block.table.head, block.table.rows);
  return fence(block.code, fenceNames[block.language]);
}

const sectionText = ({ title, blocks }: DocsSection<string>): string[] => [
  `### ${title}`,
  ...blocks.map(blockText),
];

function endpointText(endpoint: DocsEndpoint, baseUrl: string): string[] {
  const { method, path, title, description, route } = endpoint;
  const head = [`#### ${title}`, `\`${method} ${path}\``, description];
  if (!route) return head;
  const { parameters, bodyExample, bodyFields, samples } = route;
  return [
    ...head,
    ...(parameters.length > 0
      ? [
          table(
            ['Parameter', 'In', 'Type', 'Required', 'Description'],
            parameters.map(({ name, in: place, type, required, description: help }) => [
              `\`${name}\``,
              place,
              type,
              required ? 'yes' : 'no',
              help,
            ]),
          ),
        ]
      : []),
    ...(bodyFields
      ? [
          table(
            ['Body field', 'Type', 'Description'],
            bodyFields.map(({ name, type, description: help }) => [`\`${name}\``, type, help]),
          ),
        ]
      : []),
    ...(bodyExample === undefined ? [] : ['Body:', fence(JSON.stringify(bodyExample, null, 2), 'json')]),
    fence(curlFor(route, { baseUrl, apiKey: keyPlaceholder, ...exampleCall(route) }), 'sh'),
    ...samples.flatMap(({ statusCode, body }) => [
      `Response ${statusCode}:`,
      fence(JSON.stringify(body, null, 2), 'json'),
    ]),
  ];
}

/**
 * The documentation of a portal at `baseUrl`, whose users sign in at `identityUrl`, as Markdown: what its page shows,
 * without the explorer.
 */
export function docsMarkdown(baseUrl: string, identityUrl: string): string {
  const { overview, authentication } = docsSections(baseUrl, identityUrl);
  const parts = [
    '# Orange ID API',
    `The documentation of ${baseUrl}/docs. [openapi.json](/api/openapi.json) describes the same endpoints with their schemas.`,
    `## ${docsTabs.overview}`,
    ...overview.flatMap(sectionText),
    `## ${docsTabs.authentication}`,
    ...authentication.flatMap(sectionText),
    `## ${docsTabs.reference}`,
    ...docsGroups.flatMap(({ title, description, endpoints }) => [
      `### ${title}`,
      description,
      ...endpoints.flatMap((endpoint) => endpointText(endpoint, baseUrl)),
    ]),
  ];
  return `${withAddresses(parts.join('\n\n'), baseUrl)}\n`;
}

/** The guide for games as Markdown: what its page shows. */
export function gamesGuideMarkdown(baseUrl: string, links: PublicConfig['links']): string {
  const cards = gamesGuideCards.flatMap((card) => {
    const target = targetOf(card, links);
    return target === null ? [] : [`- [${card.title}](${target}): ${card.help}`];
  });
  const parts = [
    '# Games SDK Guide',
    gamesGuideLead,
    ...gamesGuide(baseUrl).flatMap(({ title, blocks }) => [`## ${title}`, ...blocks.map(blockText)]),
    '## Downloads and links',
    cards.join('\n'),
  ];
  return `${withAddresses(parts.join('\n\n'), baseUrl, gamesGuidePath)}\n`;
}

/** An index of the documentation for language models, as llmstxt.org proposes. */
export function llmsText(baseUrl: string): string {
  return `# Orange ID developer portal

> Developers add sign-in with Google, Apple, email or a wallet to their app, get an API key per project, and call wallet and token endpoints on Ethereum mainnet with the header \`X-API-Key\`.

## Docs

- [Documentation](${baseUrl}/docs.md): first call, sign-in for your app, authentication, errors, limits and every endpoint, as Markdown
- [Games SDK Guide](${baseUrl}${gamesGuidePath}.md): connect an HTML5 game to the tournament platform: scores, saved data, pause, resume and quit
- [OpenAPI](${baseUrl}/api/openapi.json): every endpoint with its schemas

## Endpoints

${docsGroups
  .flatMap(({ endpoints }) => endpoints)
  .filter(({ route }) => route)
  .map(({ id, method, path, title }) => `- [${method} ${path}](${baseUrl}/docs#${id}): ${title}`)
  .join('\n')}
`;
}
