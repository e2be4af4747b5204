import ts from 'typescript';

/** How the name of a test file ends. */
export const testEnding = /\.(test|spec|check)\.(tsx?|mjs)$/;

/** `test.each(…)` and `test.concurrent` run; `test.skip`, `test.todo`, `test.describe` and `test.step` do not. */
const running = new Set(['each', 'concurrent', 'only', 'slow']);

/**
 * The titles of the tests in a source file that run, as written between the quotes: a `test.each` title keeps its `%s`,
 * a template keeps its `${…}`.
 */
export function titlesIn(source, fileName) {
  const titles = new Set();
  const visit = (node) => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const title = titleOf(node.arguments[0], source);
      if (title !== null) titles.add(title);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true));
  return titles;
}

/** `test`, `it` or `walletTest`, alone or with a modifier that runs it: `test.each([…])`. */
function isTest(callee) {
  if (ts.isIdentifier(callee)) return /^(test|it|\w+Test)$/.test(callee.text);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  return ts.isPropertyAccessExpression(callee) && running.has(callee.name.text) && isTest(callee.expression);
}

function titleOf(argument, source) {
  if (argument === undefined) return null;
  if (ts.isStringLiteralLike(argument)) return argument.text;
  return ts.isTemplateExpression(argument) ? source.slice(argument.getStart() + 1, argument.end - 1) : null;
}

/**
 * The faults in the tables of `markdown`, one line each: a row without a test, or one that names a missing test. A row
 * names a file of `paths` by the end of its path without `.test.ts`, and a test by its name or, before `…`, its start.
 * `readSource` returns the text of a file by its path.
 */
export function faultsIn(markdown, paths, readSource) {
  const faults = [];
  const titles = new Map();
  const titlesOf = (path) => {
    if (!titles.has(path)) titles.set(path, [...titlesIn(readSource(path), path)]);
    return titles.get(path);
  };
  for (const section of sectionsOf(markdown)) {
    for (const row of section.rows) {
      const say = (problem) => faults.push(`line ${row.line}, '${row.cells[0]}': ${problem}`);
      if (row.cells.length !== section.head.length) {
        say(`has ${row.cells.length} cells, not ${section.head.length}`);
        continue;
      }
      const named = row.cells[section.head.indexOf('test')].split(/<br\s*\/?>/).map((text) => text.trim());
      for (const text of named) {
        const [, file, name] = /^`+ ?([^`\s]+) › (.+?) ?`+$/.exec(text) ?? [];
        if (name === undefined) {
          say(`names no test as \`file › test name\`: "${text}"`);
          continue;
        }
        const found = paths.filter((path) => isNamed(path, file));
        if (found.length !== 1) {
          say(
            `${file} names ${found.length} files, not one: ${found.join(', ') || 'no test file ends with it'}`,
          );
          continue;
        }
        const fits = (title) => (name.endsWith('…') ? title.startsWith(name.slice(0, -1)) : title === name);
        const count = titlesOf(found[0]).filter(fits).length;
        if (count !== 1) say(`${found[0]} has ${count === 0 ? 'no test' : `${count} tests`} "${name}"`);
      }
    }
  }
  return faults;
}

const isNamed = (path, file) =>
  `/${path}`.endsWith(`/${file}`) || `/${path.replace(testEnding, '')}`.endsWith(`/${file}`);

/** Sections whose table has no row yet. */
export const emptySectionsOf = (markdown) =>
  sectionsOf(markdown)
    .filter(({ rows }) => rows.length === 0)
    .map(({ title }) => title);

function sectionsOf(markdown) {
  const sections = [];
  for (const [index, text] of markdown.split('\n').entries()) {
    if (text.startsWith('## ')) sections.push({ title: text.slice(3), head: null, rows: [] });
    const section = sections.at(-1);
    if (!text.startsWith('|') || section === undefined || /^[|\s:-]+$/.test(text)) continue;
    const cells = cellsOf(text);
    if (section.head === null) section.head = cells;
    else section.rows.push({ line: index + 1, cells });
  }
  return sections;
}

/** A bar within a cell is written `\|`. */
const cellsOf = (row) =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
