import type { DocsTab } from './docs.tabs.js';

export type DocsLanguage = 'Terminal' | 'HTTP' | 'JSON' | 'HTML' | 'JSX' | 'JavaScript' | 'Python';

/** A block of text. `text` and the cells of a table may contain `code`, **strong** and [links](/path). */
export type DocsBlock =
  | { text: string }
  | { list: readonly string[] }
  | { table: { head: readonly string[]; rows: readonly (readonly string[])[] } }
  | { code: string; label: string; language: DocsLanguage };

export interface DocsSection {
  /** Its anchor: the tab, a hyphen, and a name. */
  id: `${DocsTab}-${string}`;
  title: string;
  blocks: readonly DocsBlock[];
}
