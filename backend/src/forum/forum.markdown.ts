import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

/** Stored with rendered text. Raise it when the output below changes: text of another version is rendered again. */
export const rendererVersion = 2;

const excerptCharacters = 200;

/** Of all tables of a text; further rows are shown as text. */
const tableCellsMax = 2_000;

/**
 * Without what a short text can turn into megabytes: references repeat an address or a title for each use, and rows of a
 * table are filled up to the width of its head.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 20 }).disable([
  'image',
  'reference',
]);
markdown.block.ruler.at('table', boundedTables(), { alt: ['paragraph'] });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false }).add('//', null);

/** Headings begin below those of the page. No image, and no attribute that a script or a style could be in. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'],
    ...['h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'], code: ['class'] },
  allowedClasses: { code: [/^language-[\w+#.-]{1,30}$/] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    h1: 'h3',
    h2: 'h4',
    a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener' }),
  },
};

/** Markdown as HTML that is safe to insert into a page, and its beginning as plain text. */
export function renderMarkdown(source: string): { html: string; excerpt: string } {
  const html = sanitizeHtml(markdown.render(source), allowed);
  return { html, excerpt: excerptOf(html) };
}

/** The text of rendered Markdown in one line. */
export const plainText = (html: string): string =>
  sanitizeHtml(html.replaceAll('</', ' </'), { allowedTags: [] })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

function excerptOf(html: string): string {
  const text = plainText(html);
  const characters = [...text];
  return characters.length <= excerptCharacters
    ? text
    : `${characters.slice(0, excerptCharacters - 1).join('')}…`;
}

type BlockRule = ReturnType<InstanceType<typeof MarkdownIt>['block']['ruler']['getRules']>[number];

/** The rule of tables, which ends a table where the text has `tableCellsMax` cells. */
function boundedTables(): BlockRule {
  const { ruler } = new MarkdownIt().block;
  ruler.enableOnly('table');
  const [table] = ruler.getRules('') as [BlockRule];
  return (state, start, end, silent) => {
    const env = state.env as { tableCells?: number };
    const used = env.tableCells ?? 0;
    const head = state.src.slice(state.bMarks[start], state.eMarks[start]);
    const columns = head.split('|').length;
    const rows = Math.floor((tableCellsMax - used) / columns);
    // A head, the line below it, and the rows.
    const isTable = rows > 0 && table(state, start, Math.min(end, start + 1 + rows), silent);
    if (isTable && !silent) env.tableCells = used + (state.line - start) * columns;
    return isTable;
  };
}
