import { dirname } from 'node:path';

/**
 * The test files that run a mutation of the file `path`, nearest and then fastest first; `null` if no test loads the
 * file in its own process. `covering` is what `scripts/jest/covering.reporter.mjs` writes, `starts` comes from
 * `mutationsOf`.
 */
export function coveringTests({ tests, files }, path, starts) {
  const places = files[path];
  if (places === undefined) return null;
  const start = starts.find((each) => places[each] !== undefined);
  // Code outside of every known place runs when the file loads.
  const numbers = start === undefined ? new Set(Object.values(places).flat()) : places[start];
  const own = path.replace(/\.tsx?$/, '.test.ts');
  const distance = ({ path: test }) => {
    if (test.startsWith(own)) return 0;
    return dirname(test) === dirname(path) ? 1 : 2;
  };
  return [...numbers]
    .map((number) => tests[number])
    .sort((a, b) => distance(a) - distance(b) || a.ms - b.ms)
    .map(({ path: test }) => test);
}
