import type { PublicConfig } from '@orange-id/contract/config.schema';
import { escapeHtml } from '../http/escape.html.js';

/** What a page of the browser application says of itself before any script runs. */
export interface PageWords {
  title: string;
  description: string;
  /** Where it is, as a whole address. */
  address: string;
}

/** A script element of JSON ends at the first `</script`, whatever the JSON says. */
const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const addressParts = ['protocol', 'host'] as const;

/** The part of a record, or of an address, that has this name; `undefined` where there is none. */
function within(whole: unknown, name: string): unknown {
  if (typeof whole === 'string') {
    const part = addressParts.find((known) => known === name);
    return part && URL.canParse(whole) ? new URL(whole)[part] : undefined;
  }
  return (whole as Record<string, unknown> | undefined)?.[name];
}

/**
 * Fills the marks of a built page, `{{title}}`, `{{links.docs}}` or a part of an address, `{{publicUrl.host}}`, with
 * texts made safe for HTML, and `{{config}}` with the configuration as JSON. A mark that names no text stays as it is:
 * a snippet may look like one.
 */
export function fillPage(template: string, words: PageWords, config: PublicConfig): string {
  return template.replace(/\{\{([\w.]+)\}\}/g, (mark, path: string) => {
    if (path === 'config') return jsonInHtml(config);
    const text = path.split('.').reduce<unknown>(within, { ...config, ...words });
    return typeof text === 'string' ? escapeHtml(text) : mark;
  });
}
