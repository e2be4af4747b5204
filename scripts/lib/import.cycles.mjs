import { posix } from 'node:path';
import ts from 'typescript';

/** The paths of the files that a file imports, relative to what its own path is relative to. Packages are left out. */
const importedBy = (path, text) =>
  ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name));

/** The imports that lead back to where they come from, directly or through others. */
function cyclic(imports) {
  const next = new Map(imports.map(({ from }) => [from, new Set()]));
  for (const { from, to } of imports) next.get(from).add(to);
  const reachable = new Map();
  const reached = (start) => {
    if (!reachable.has(start)) {
      const found = new Set([start]);
      for (const each of found) for (const to of next.get(each) ?? []) found.add(to);
      reachable.set(start, found);
    }
    return reachable.get(start);
  };
  return imports.filter(({ from, to }) => reached(to).has(from));
}

/**
 * The imports between files that form a cycle, one line each; an import of a type counts too. `files` are pairs of a
 * path and its text.
 */
export function fileCycles(files) {
  const stem = (path) => path.replace(/\.(js|tsx?)$/, '');
  const imports = files.flatMap(([path, text]) =>
    importedBy(path, text).map((target) => ({ from: stem(path), to: stem(target), path, target })),
  );
  return cyclic(imports).map(({ path, target }) => `${path} imports ${target}`);
}

const isCounted = (path) =>
  /\.tsx?$/.test(path) && !/\.(test|module)\.tsx?$|(^|\/)(app\.factory\.ts$|testing\/)/.test(path);

/** The folder directly below `base` that holds a path, '.' for a file beside those folders, null for any other path. */
function folderIn(base, path) {
  const [first, ...rest] = posix.relative(base, path).split('/');
  if (first === '..') return null;
  return rest.length === 0 ? '.' : first;
}

/**
 * The imports between the folders directly below `base` that form a cycle, one line each. `files` are pairs of a path
 * and its text. Tests, `*.module.ts` and `app.factory.ts` may import everything: the latter two are where Nest builds
 * the parts.
 */
export function folderCycles(base, files) {
  const imports = [];
  for (const [path, text] of files) {
    const from = folderIn(base, path);
    if (from === null || !isCounted(path)) continue;
    for (const target of importedBy(path, text)) {
      const to = folderIn(base, target);
      if (to !== null && to !== from && isCounted(target.replace(/(\.js)?$/, '.ts')))
        imports.push({ from, to, path, target });
    }
  }
  return cyclic(imports).map(({ from, to, path, target }) => `${from} → ${to}: ${path} imports ${target}`);
}
