import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { classesOf } from './css.modules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(root, folder, path))
    .filter((path) => !path.includes('node_modules'));
const text = (path) => readFileSync(path, 'utf8');

const frontend = filesIn('frontend/src');
const modules = frontend.filter((path) => path.endsWith('.module.css'));
const sources = frontend.filter((path) => /\.tsx?$/.test(path));
const nameOf = (module) => basename(module, '.module.css');

/** `[module, class]` of each class that a source takes from a CSS module. */
const usesIn = (path) =>
  [...text(path).matchAll(/^import (\w+) from '(.*\.module\.css)';$/gm)].flatMap(([, styles, from]) =>
    [...text(path).matchAll(new RegExp(`\\b${styles}\\.(\\w+)`, 'g'))].map(([, name]) => [
      resolve(path, '..', from),
      name,
    ]),
  );

test('the classes of a CSS module are those outside comments and :global(), also in nested rules', () => {
  expect([
    ...classesOf(
      '.a:global(.b) { .c & { margin: 0.5em } } /* .d */ :is(.e, .f-g):not(.a) { background: url(./h.svg) }',
    ),
  ]).toEqual(['a', 'c', 'e', 'f-g']);
});

test('each CSS module has a unique name', () => {
  expect(modules.map(nameOf).sort()).toEqual([...new Set(modules.map(nameOf))].sort());
});

test('CSS modules wrap IDs in :global(), because components set IDs by hand', () => {
  const selectors = (module) =>
    text(module).replace(/\/\*[\s\S]*?\*\/|:global\([^)]*\)|[:;][^{};]*;|\([^)]*\)\s*;/g, '');
  expect(modules.filter((module) => /#[a-z][\w-]*[^{};]*\{/.test(selectors(module))).map(nameOf)).toEqual([]);
});

test('every class that a component takes from a CSS module exists, and every class of a module is used', () => {
  const label = (module, name) => `${nameOf(module)}.${name}`;
  const used = sources.flatMap(usesIn).map(([module, name]) => label(module, name));
  const defined = modules.flatMap((module) =>
    [...classesOf(text(module))].map((name) => label(module, name)),
  );
  expect([...new Set(used)].sort()).toEqual(defined.sort());
});

test('a component imports its own CSS module last, so that its rules win over those of what it uses', () => {
  const late = sources.filter((path) => {
    const imports = [...text(path).matchAll(/^import [^;]*?'([^']+)';$/gm)].map(([, from]) => from);
    const own = imports.indexOf(imports.find((from) => /^\.\/[^/]+\.module\.css$/.test(from)));
    return own >= 0 && imports.slice(own).some((from) => !/^\.\/[^/]+\.module\.css$/.test(from));
  });
  expect(late).toEqual([]);
});

test('tests look for classes that exist', () => {
  const defined = new Set(
    modules.flatMap((module) => [...classesOf(text(module))].map((c) => `${nameOf(module)}_${c}`)),
  );
  const names = modules.map(nameOf).join('|');
  const wanted = [...frontend, ...filesIn('e2e')]
    .filter((path) => /\.ts$|\.test\.tsx$/.test(path))
    .flatMap((path) => text(path).match(new RegExp(`(?<=\\.)(?:${names})_\\w+`, 'g')) ?? []);
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter((name) => !defined.has(name))).toEqual([]);
});
