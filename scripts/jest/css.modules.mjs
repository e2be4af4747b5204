import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { scopedClass } from '../../frontend/build/scoped.class.mjs';

const version = createHash('sha256')
  .update(readFileSync(new URL(import.meta.url)))
  .update(readFileSync(new URL('../../frontend/build/scoped.class.mjs', import.meta.url)))
  .digest('hex');

/** The names of the classes that a CSS module defines. Those in `:global()` belong to other files, and
 * `url()` names none. */
export const classesOf = (css) => {
  const own = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?::global|url)\([^)]*\)/g, '');
  return new Set([...own.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name]) => name));
};

/** Gives tests the classes that the build gives the page. */
export default {
  getCacheKey: (css, file) => createHash('sha256').update(version).update(file).update(css).digest('hex'),
  process: (css, file) => {
    const classes = Object.fromEntries([...classesOf(css)].map((name) => [name, scopedClass(name, file)]));
    return { code: `module.exports = ${JSON.stringify({ __esModule: true, default: classes })};` };
  },
};
