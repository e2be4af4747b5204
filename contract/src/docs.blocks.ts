import type { DocsTab } from './docs.tabs.js';

export type DocsLanguage = 'Terminal' | 'HTTP' | 'JSON' | 'HTML' | 'JSX' | 'JavaScript' | 'Python';

/** A block of text. `text` and the cells of a table may contain `code`, **strong** and [links](/path). */
export type DocsBlock =
  | { text: string }
  | { list: readonly string[] }
  | { table: { head: readonly string[]; rows: readonly (readonly string[])[] } }
  | { code: string; label: string; language: DocsLanguage };

/** `id` is its anchor: in the documentation its tab, a hyphen, and a name. */
export interface DocsSection<Id extends string = `${DocsTab}-${string}`> {
  id: Id;
  title: string;
  blocks: readonly DocsBlock[];
}

/** What a section says, without its code and its markup, for a search. */
export const sectionText = ({ title, blocks }: DocsSection<string>): string =>
  [
    title,
    ...blocks.flatMap((block): readonly string[] => {
      if ('text' in block) return [block.text];
      if ('list' in block) return block.list;
      return 'table' in block ? [...block.table.head, ...block.table.rows.flat()] : [];
    }),
  ]
    .join(' ')
    .replace(/\]\([^()]*\)|[*`[]/g, '');
