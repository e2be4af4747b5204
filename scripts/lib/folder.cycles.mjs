import { posix } from 'node:path';
import ts from 'typescript';

const isCounted = (path) =>
  /\.tsx?$/.test(path) && !/\.(test|module)\.tsx?$|(^|\/)(app\.factory\.ts$|testing\/)/.test(path);

/** The folder directly below `base` that holds a path, '.' for a file beside those folders, null for any other path. */
function folderIn(base, path) {
  const [first, ...rest] = posix.relative(base, path).split('/');
  if (first === '..') return null;
  return rest.length === 0 ? '.' : first;
}

/**
 * The imports between the folders directly below `base` that form a cycle, directly or through other folders, one line
 * each. `files` are pairs of a path and its text. Tests, `*.module.ts` and `app.factory.ts` may import everything: the
 * latter two are where Nest builds the parts.
 */
export function folderCycles(base, files) {
  const imports = [];
  for (const [path, text] of files) {
    const from = folderIn(base, path);
    if (from === null || !isCounted(path)) continue;
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), fileName);
      const to = folderIn(base, target);
      if (to !== null && to !== from && isCounted(target.replace(/(\.js)?$/, '.ts')))
        imports.push({ from, to, path, target });
    }
  }
  const reached = (start) => {
    const found = new Set([start]);
    for (const folder of found) {
      for (const { from, to } of imports) if (from === folder) found.add(to);
    }
    return found;
  };
  return imports
    .filter(({ from, to }) => reached(to).has(from))
    .map(({ from, to, path, target }) => `${from} → ${to}: ${path} imports ${target}`);
}
