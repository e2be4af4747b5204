import { mkdirSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative } from 'node:path';

/**
 * Writes to the file `COVERING_FILE` which test files run each place of the product:
 * `{ tests: [{ path, ms }], files: { [path]: { [place]: places in tests } } }`. A place is where a statement or a branch
 * starts in the source, as `line:column`. Needs `--coverage --coverageProvider=babel`.
 */
export default class CoveringReporter {
  tests = [];
  /** By file, the places of its statements and branches by their number, and the tests that run each place. */
  files = new Map();

  constructor({ rootDir }) {
    this.root = rootDir;
  }

  onTestResult({ path }, { coverage, perfStats }) {
    const number =
      this.tests.push({ path: relative(this.root, path), ms: perfStats.end - perfStats.start }) - 1;
    for (const [name, found] of Object.entries(coverage ?? {})) {
      const { starts, runs } = this.fileOf(name, found);
      const note = (start) => start !== undefined && runs.get(start).add(number);
      for (const [id, count] of Object.entries(found.s)) if (count > 0) note(starts.statements[id]);
      for (const [id, counts] of Object.entries(found.b)) {
        counts.forEach((count, place) => count > 0 && note(starts.branches[id][place]));
      }
    }
  }

  fileOf(name, { inputSourceMap, statementMap, branchMap }) {
    const known = this.files.get(name);
    if (known) return known;
    const map = new SourceMap(inputSourceMap);
    const runs = new Map();
    const startOf = ({ start }) => {
      if (start?.line === undefined) return undefined;
      const { originalLine, originalColumn } = map.findEntry(start.line - 1, start.column);
      if (originalLine === undefined) return undefined;
      const place = `${originalLine + 1}:${originalColumn}`;
      if (!runs.has(place)) runs.set(place, new Set());
      return place;
    };
    const each = (places, one) =>
      Object.fromEntries(Object.entries(places).map(([id, value]) => [id, one(value)]));
    const starts = {
      statements: each(statementMap, startOf),
      branches: each(branchMap, ({ locations }) => locations.map(startOf)),
    };
    const made = { starts, runs };
    this.files.set(name, made);
    return made;
  }

  onRunComplete() {
    const files = Object.fromEntries(
      [...this.files].map(([name, { runs }]) => [
        relative(this.root, name),
        Object.fromEntries([...runs].map(([place, numbers]) => [place, [...numbers]])),
      ]),
    );
    const file = process.env['COVERING_FILE'];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ tests: this.tests, files }));
  }
}
