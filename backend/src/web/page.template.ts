import type { PublicConfig } from '@orange-id/contract/config.schema';
import { escapeHtml } from '../http/escape.html.js';

/** The metadata of a page of the browser application, available before any script runs. */
export interface PageMetadata {
  title: string;
  description: string;
  /** The absolute URL of the page. */
  address: string;
}

/** A script element with JSON ends at the first `</script`, even inside a JSON string. */
export const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const addressParts = ['protocol', 'host'] as const;

/** The property of this name of a record or a URL; `undefined` if there is none. */
function within(whole: unknown, name: string): unknown {
  if (typeof whole === 'string') {
    const part = addressParts.find((known) => known === name);
    return part && URL.canParse(whole) ? new URL(whole)[part] : undefined;
  }
  return (whole as Record<string, unknown> | undefined)?.[name];
}

/**
 * Replaces the placeholders of a built page, `{{title}}`, `{{links.docs}}` or a part of a URL, `{{publicUrl.host}}`,
 * with text escaped for HTML, and `{{config}}` with the configuration as JSON. A placeholder without a text stays
 * unchanged: a code snippet may look like one. A link `<a data-if="links.x" …>` is left out where that value is null.
 */
export function fillPage(template: string, words: PageMetadata, config: PublicConfig): string {
  const valueOf = (path: string) => path.split('.').reduce<unknown>(within, { ...config, ...words });
  return withoutLinks(template, (path) => valueOf(path) === null).replace(
    /\{\{([\w.]+)\}\}/g,
    (mark, path: string) => {
      if (path === 'config') return jsonInHtml(config);
      const text = valueOf(path);
      return typeof text === 'string' ? escapeHtml(text) : mark;
    },
  );
}

/** The page without the links `<a data-if="path" …>…</a>` whose path is left out. */
function withoutLinks(page: string, isLeftOut: (path: string) => boolean): string {
  const start = '<a data-if="';
  const end = '</a>';
  const [before = '', ...links] = page.split(start);
  const kept = links.map((link) =>
    isLeftOut(link.slice(0, link.indexOf('"'))) ? link.slice(link.indexOf(end) + end.length) : start + link,
  );
  return before + kept.join('');
}
