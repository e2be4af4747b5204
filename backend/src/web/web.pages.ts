import {
  appPageAt,
  appRoutes,
  communityPostPage,
  documentTitle,
  notFoundTitle,
} from '@orange-id/contract/app.routes';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodedAtOnce, type EncodedBody } from '../http/encoded.body.js';
import { fillPage, jsonInHtml, type PageMetadata } from './page.template.js';

/** An HTML page ready to be sent, in every encoding. */
export type WebPage = { status: 200 | 404; body: EncodedBody };

/** The files of the prerendered pages. */
const prerendered = new Map([
  ['/', 'landing.html'],
  ['/docs', 'docs.html'],
  ['/games-sdk-integration-guide', 'games.html'],
]);

/** What a page says beside the application: structured data (JSON-LD), and HTML for readers without scripts. */
export interface PageContent extends PageMetadata {
  data?: object;
  readable: string;
}

export interface WebPages {
  /** The page at a path; `null` if nothing is built. */
  at(path: string): WebPage | null;
  /** The shell with this content, whose `readable` is safe HTML; `null` if nothing is built. */
  with(content: PageContent): string | null;
  /** The inline scripts of the pages, for the content security policy: `'sha256-…'`. */
  scriptHashes: string[];
}

/**
 * The pages of the browser application below `folder`: the prerendered ones, the shell anywhere else, each filled in
 * and compressed once.
 */
export function webPages(folder: string, config: PublicConfig): WebPages {
  const templates = new Map<string, string>();
  for (const name of ['index.html', ...prerendered.values()]) {
    const file = join(folder, name);
    if (existsSync(file)) templates.set(name, readFileSync(file, 'utf8'));
  }
  const shell = templates.get('index.html');
  const made = new Map<string, WebPage>();

  const make = (path: string): WebPage => {
    const template = templates.get(prerendered.get(path) ?? '') ?? (shell as string);
    const known = appPageAt(path);
    const page = known ?? { title: notFoundTitle, description: appRoutes['/'].description };
    const canonical = known === communityPostPage ? '/community' : known ? path : '/';
    const address = new URL(canonical, config.publicUrl).href;
    const words = { title: documentTitle(page.title), description: page.description, address };
    const identity = Buffer.from(fillPage(template, words, config));
    return { status: known ? 200 : 404, body: encodedAtOnce(identity) };
  };

  const at = (path: string): WebPage | null => {
    if (shell === undefined) return null;
    // All unknown paths share one page, and so do all posts, so that made-up paths cannot fill the memory.
    const known = appPageAt(path);
    const name = known === communityPostPage ? communityPostPage.path : known ? path : 'unknown';
    const page = made.get(name) ?? make(path);
    made.set(name, page);
    return page;
  };
  const withContent = ({ data, readable, ...words }: PageContent): string | null => {
    if (shell === undefined) return null;
    const script = data ? `<script type="application/ld+json">${jsonInHtml(data)}</script>` : '';
    // After the placeholders are filled, so that none in the content is.
    return insertAfter(
      fillPage(shell, words, config).replace(/<noscript>[^<]*<\/noscript>/, ''),
      '<div id="root"></div>',
      `<noscript>${readable}</noscript>${script}`,
    );
  };
  return { at, with: withContent, scriptHashes: [...new Set([...templates.values()].flatMap(hashesOf))] };
}

function insertAfter(page: string, mark: string, text: string): string {
  const end = page.indexOf(mark) + mark.length;
  return page.slice(0, end) + text + page.slice(end);
}

const hashesOf = (html: string): string[] =>
  html
    .split('<script>')
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('</script>')))
    .map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);

/**
 * The requested URL of a browser, with undecodable characters taken literally, so that the user gets a not-found page.
 * Other clients get the error that the URL is invalid.
 */
export function pageAddress(url: string, accepted = ''): string {
  const [path = '', ...query] = url.split(/(?=\?)/);
  try {
    decodeURI(path);
    return url;
  } catch {
    return accepted.includes('text/html') ? path.replaceAll('%', '%25') + query.join('') : url;
  }
}
