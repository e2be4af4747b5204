import { describe, expect, test } from '@jest/globals';
import { hostileTexts, strangeHost } from '@orange-id/contract/hostile.text.fixture';
import { renderMarkdown } from './forum.markdown.js';

const html = (source: string): string => renderMarkdown(source).html.trim();

/** The tags and attributes of the result, apart from text. */
const tagsOf = (source: string): string[] => html(source).match(/<[^>]*>/g) ?? [];

const harmless =
  /^<\/?(p|br|hr|strong|em|s|pre|blockquote|ul|ol|li|h[3-6]|table|thead|tbody|tr|th|td|code)( \/)?>$|^<code class="language-[\w+#.-]+">$|^<ol start="\d+">$|^<\/a>$|^<a href="(https?:\/\/|mailto:|\/|#)[^"]*" rel="nofollow ugc noopener">$|^<a rel="nofollow ugc noopener">$/;

describe('Markdown of the community', () => {
  test('shows paragraphs, emphasis, lists, tables and code blocks with their language', () => {
    expect(html('# Title\n\n**bold** `code`\n\n- one\n\n```ts\nconst a = 1 < 2;\n```')).toBe(
      '<h3>Title</h3>\n<p><strong>bold</strong> <code>code</code></p>\n<ul>\n<li>one</li>\n</ul>\n' +
        '<pre><code class="language-ts">const a = 1 &lt; 2;\n</code></pre>',
    );
    expect(html('|a|\n|-|\n|b|')).toContain('<td>b</td>');
  });

  test('marks links as written by users, also those without Markdown', () => {
    const link = '<a href="https://example.com/a?b=1&amp;c" rel="nofollow ugc noopener">';
    expect(html('[x](https://example.com/a?b=1&c)')).toBe(`<p>${link}x</a></p>`);
    expect(html('https://example.com/a?b=1&c')).toContain(link);
    expect(html('example.com')).toBe('<p>example.com</p>');
  });

  test.each([
    ...hostileTexts,
    '<b>bold</b>',
    '![picture](https://example.com/a.png)',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](vbscript:x)',
    `[x](//${strangeHost})`,
    '[x](https://a" onclick="x)',
    '[x]: javascript:alert(1)\n\n[x]',
    '<javascript:alert(1)>',
    '```"><script>x</script>\ncode\n```',
    '```x" onclick="y\ncode\n```',
    '<!-- --><script>x</script>',
    '[x](https://a/</noscript><script>x</script>)',
    '[x](<https://a/</noscript><script>x</script>>)',
    '</noscript><script>x</script>',
  ])('has no active content: %j', (text) => {
    for (const source of [text, `> ${text}`, `- ${text}`, `\`\`\`\n${text}\n\`\`\``, `**${text}**`]) {
      expect(tagsOf(source).filter((tag) => !harmless.test(tag))).toEqual([]);
      expect(html(source)).not.toMatch(/<\/?noscript/i);
    }
  });

  test.each(['[', '![', '>', '*', '_', '`', '~~', '- ', '(', '<', '|', '[a](', '# ', '\\', '&', 'http://'])(
    'renders the longest text of %j',
    (part) => {
      const source = part.repeat(Math.floor(20_000 / part.length));
      expect(tagsOf(source).filter((tag) => !harmless.test(tag))).toEqual([]);
    },
  );

  const table = (columns: number, rows: number): string =>
    `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'x\n'.repeat(rows)}\n`;
  test.each([
    ['tables whose rows are filled up', table(200, 320).repeat(13)],
    ['such tables in lists and quotes', table(200, 320).replaceAll(/^/gm, '> ').repeat(8)],
    ['references to a long title', `[x]: a "${'&'.repeat(10_000)}"\n\n${'[x]'.repeat(3_300)}`],
    ['references to a long address', `[x]: http://${'a'.repeat(10_000)}\n\n${'[x] '.repeat(2_400)}`],
    ['deep lists', '- - - - - - - - - a\n'.repeat(1_000)],
  ])('turns no text into many times its length: %s', (_, source) => {
    expect(html(source.slice(0, 20_000)).length).toBeLessThan(250_000);
  });

  test('shows the rows of a table beyond 2,000 cells as text, and tables of a usual size whole', () => {
    const rows = (source: string) => html(source).match(/<tr>/g)?.length;
    expect(rows(table(10, 150))).toBe(151);
    const long = html(`${table(10, 300)}${table(10, 1)}after`);
    expect(long.match(/<td>/g)!.length).toBeLessThan(2_000);
    expect(long).toMatch(/<\/table>\n<p>x\nx\n[^]*<p>after<\/p>$/);
  });

  test('begins a list entry with the text, without markup and at most 200 characters', () => {
    expect(renderMarkdown('# A & b\n\n<c> "d" **e** &lt;').excerpt).toBe('A & b <c> "d" e <');
    expect([...renderMarkdown('🦊'.repeat(500)).excerpt]).toHaveLength(200);
  });
});
