import { playgroundLimits } from '@orange-id/contract/playground.protocol';
import { unzip } from 'fflate';
import { formatBytes } from '../../../ui/number.text';

/** A game of the reader's: its files by their path from `index.html`'s folder, and their size, uncompressed. */
export interface GameFiles {
  name: string;
  files: Map<string, Blob>;
  bytes: number;
}

/** Reads the files of a zip. Rejects with an error that says what is wrong with it. */
export async function readZip(file: File): Promise<GameFiles> {
  const data = new Uint8Array(await file.arrayBuffer());
  let problem: Error | null = null;
  let count = 0;
  let bytes = 0;
  const entries = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    unzip(
      data,
      {
        // Before anything is unpacked: a small zip can claim any size.
        filter: ({ name, originalSize }) => {
          if (problem !== null || name.endsWith('/') || isSystemFile(name)) return false;
          count++;
          bytes += originalSize;
          problem = problemOf(name, count, bytes);
          return problem === null;
        },
      },
      (error, unpacked) => (error ? reject(new Error(`${file.name} isn’t a zip file.`)) : resolve(unpacked)),
    );
  });
  if (problem !== null) throw problem as Error;
  return gameOf(
    file.name,
    Object.entries(entries).map(([path, content]) => [path, new Blob([new Uint8Array(content)])]),
  );
}

/** Reads the files of a folder, as a browser's folder picker gives them. */
export async function readFolder(list: readonly File[]): Promise<GameFiles> {
  let bytes = 0;
  const files = list.filter(({ name }) => !isSystemFile(name));
  files.forEach((file, place) => {
    bytes += file.size;
    const problem = problemOf(pathOf(file), place + 1, bytes);
    if (problem) throw problem;
  });
  const [first] = files;
  const name = first ? (pathOf(first).split('/')[0] as string) : 'folder';
  return gameOf(
    name,
    files.map((file) => [pathOf(file), file]),
  );
}

const pathOf = (file: File): string => file.webkitRelativePath || file.name;
const isSystemFile = (path: string): boolean => /(^|\/)(\.DS_Store|Thumbs\.db)$|^__MACOSX\//.test(path);

function problemOf(path: string, count: number, bytes: number): Error | null {
  if (path.startsWith('/') || path.includes('\\') || path.split('/').includes('..')) {
    return new Error(`The file name ${path.slice(0, 100)} leads out of the game’s folder`);
  }
  if (count > playgroundLimits.files) {
    return new Error(`The game has more than ${playgroundLimits.files.toLocaleString('en')} files`);
  }
  if (bytes > playgroundLimits.bytes) {
    return new Error(`The game has more than ${formatBytes(playgroundLimits.bytes)} uncompressed`);
  }
  return null;
}

/** The game starts at the outermost `index.html`; what is outside its folder is left out. */
function gameOf(name: string, entries: [string, Blob][]): GameFiles {
  const starts = entries.map(([path]) => path).filter((path) => /(^|\/)index\.html$/.test(path));
  const [start] = starts.toSorted((a, b) => a.split('/').length - b.split('/').length);
  if (start === undefined) throw new Error(`${name} has no index.html`);
  const folder = start.slice(0, -'index.html'.length);
  const files = new Map(
    entries
      .filter(([path]) => path.startsWith(folder))
      .map(([path, content]) => [path.slice(folder.length), content]),
  );
  return { name, files, bytes: [...files.values()].reduce((sum, { size }) => sum + size, 0) };
}

/** The scripts of a game, and how the largest was judged: few lines for its size. */
export interface ScriptFacts {
  /** In the order of the page, then those that it doesn't name. */
  scripts: string[];
  isMinified: boolean;
  /** Whether `index.html` has a script of its own. */
  hasInline: boolean;
}

/** The part of `index.html` that is searched for scripts. */
const pageBytes = 2 ** 20;

/** Counts the scripts of a game, and looks at the lines of the largest: a minified one has few, long ones. */
export async function scriptsOf({ files }: GameFiles): Promise<ScriptFacts> {
  const scripts = [...files].filter(([path]) => /\.m?js$/i.test(path));
  const [largest] = scripts.toSorted(([, a], [, b]) => b.size - a.size);
  const text = largest ? await largest[1].text() : '';
  const lines = text.split('\n').length;
  const page = scriptsIn((await files.get('index.html')?.slice(0, pageBytes).text()) ?? '');
  const place = (path: string) => {
    const at = page.sources.indexOf(path);
    return at < 0 ? page.sources.length : at;
  };
  return {
    scripts: scripts.map(([path]) => path).toSorted((a, b) => place(a) - place(b)),
    isMinified: text.length / lines > 200 || text.length < 200,
    hasInline: page.hasInline,
  };
}

/** The scripts of a page. Splits instead of matching, so that the time grows with the page's length only. */
function scriptsIn(html: string): { sources: string[]; hasInline: boolean } {
  const [start = '', ...comments] = html.split('<!--');
  const shown = start + comments.map((part) => part.split('-->').slice(1).join('-->')).join('');
  const sources: string[] = [];
  let hasInline = false;
  for (const part of shown.split(/<script\b/i).slice(1)) {
    const [attributes = '', ...rest] = part.split('>');
    const source = /\ssrc\s*=\s*["']?([^"'\s]+)/i.exec(attributes)?.[1];
    if (source !== undefined) sources.push(source.replace(/^\.\//, ''));
    // Data, such as JSON-LD or an import map, is no script.
    else if (!/\stype\s*=\s*["']?(application\/(ld\+)?json|importmap)/i.test(attributes)) {
      const [body = ''] = rest.join('>').split(/<\/script/i);
      hasInline ||= body.trim() !== '';
    }
  }
  return { sources, hasInline };
}
