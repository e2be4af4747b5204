import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Linter } from 'eslint';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownClass } from './known.class.mjs';

let below;
beforeAll(() => {
  below = mkdtempSync(join(tmpdir(), 'styles-'));
  mkdirSync(join(below, 'ui'));
  writeFileSync(join(below, 'ui', 'rows.css'), '/* .gone */ .rows, .rows-dense > li { margin: 0.5px }');
  writeFileSync(
    join(below, 'card.module.css'),
    '.inner { color: red } :global(.light-card) .inner { margin: 0 }',
  );
});
afterAll(() => rmSync(below, { recursive: true }));

function unknownIn(code) {
  const messages = new Linter().verify(code, {
    files: ['**/*.js'],
    plugins: { portal: { rules: { 'known-class': knownClass } } },
    languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } },
    rules: { 'portal/known-class': ['error', { below }] },
  });
  return messages.map(({ message }) => message.replace(/^No style sheet defines the class '(.*)'\.$/, '$1'));
}

describe('a class in JSX', () => {
  test.each([
    ['<p className="rows rows-dense" />', []],
    ['<p className="rows rows-dnse" />', ['rows-dnse']],
    ['<p className="light-card" />', []],
    ['<p className="inner gone" />', ['inner', 'gone']],
    ["<p className={kind === 'any' ? 'rows' : 'row'} />", ['row']],
    ["<p className={classes('rows', props.rowClass, 'typo')} />", ['typo']],
    ['<p className={`rows ${look} typo tone-${tone}`} />', ['typo']],
    ['<Tooltip rootClassName="typo" />', ['typo']],
    ['<p title="typo" />', []],
  ])('%s', (code, unknown) => {
    expect(unknownIn(code)).toEqual(unknown);
  });
});
