import { StepError } from './steps.mjs';

/** The parts of the suite: Jest's projects and the browser tests. */
export const parts = [
  'contract',
  'scripts',
  'backend',
  'frontend',
  'components',
  'game-sdk',
  'containers',
  'browser',
];

const isJest = (path) => /\.test\.(mjs|tsx?)$/.test(path);
const isBrowser = (path) => /^e2e\/(?!(?:outside|pictures)\/).*\.spec\.ts$/.test(path);
const isTest = (path) => isJest(path) || isBrowser(path);

/** What to run: Jest's projects and files, and files of browser tests; `true` means all. */
const all = { projects: [], jest: true, related: [], browser: true };
const nothing = { projects: [], jest: [], related: [], browser: [] };

/**
 * The tests that `words` name: a part, or any piece of a test file's path. No words mean every test. `files` are the
 * paths of the repository. Throws a StepError that names a word without a match.
 */
export function chooseTests(words, files) {
  if (words.length === 0) return all;
  const chosen = { projects: [], jest: [], related: [], browser: [] };
  for (const word of words) {
    if (word === 'browser') {
      chosen.browser = true;
      continue;
    }
    if (parts.includes(word)) {
      chosen.projects.push(word);
      continue;
    }
    const found = files.filter((path) => isTest(path) && path.includes(word.replace(/^\.\//, '')));
    if (found.length === 0) {
      throw new StepError(
        `No test file's path contains '${word}'. Name a file, a piece of its path, or a part: ${parts.join(', ')}.`,
      );
    }
    chosen.jest.push(...found.filter(isJest));
    if (chosen.browser !== true) chosen.browser.push(...found.filter(isBrowser));
  }
  return chosen;
}

/** The tests that read the template project's files. */
const ofTemplates = [
  'frontend/src/ui/template.archive.test.ts',
  'backend/src/identity/tenants/server.examples.test.ts',
];

/**
 * The tests that a change to these files can affect. Dependencies and the test configuration affect all tests; code of
 * the contract, the server or the pages affects the tests that import it and every browser test.
 */
export function testsOf(changed) {
  const affectsAll = (path) =>
    /^(package(-lock)?\.json|jest\.config\.mjs|tsconfig.*\.json|stubs\/.*|contract\/(?!src\/).*|.*\/package\.json)$/.test(
      path,
    );
  if (changed.some(affectsAll)) return all;
  const isOfTemplate = (path) => path.startsWith('templates/');
  const code = changed.filter((path) => /\.(tsx?|mjs|css)$/.test(path) && !isOfTemplate(path));
  const ofBrowser = code.filter((path) => !isJest(path) && !/^(scripts|containers)\//.test(path));
  const affectsBrowser = ofBrowser.some((path) => !isBrowser(path) && !path.startsWith('e2e/pictures/'));
  return {
    ...nothing,
    jest: changed.some(isOfTemplate) ? ofTemplates : [],
    related: code.filter((path) => !path.startsWith('e2e/')),
    browser: affectsBrowser ? true : ofBrowser.filter(isBrowser),
  };
}

/** The slowest of `tests` (`{ name, ms }`), one line each, slowest first. */
export const slowestLines = (tests, count = 10) =>
  tests
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
