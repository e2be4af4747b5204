import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from './version.js';

const root = join(__dirname, '..', '..');

test('the version is that of package.json, and CHANGELOG.md begins with it or with what comes after it', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe(version);
  const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## .*$/gm) ?? [];
  const [newest] = headings.filter((heading) => heading !== '## Unreleased');
  expect(newest?.split(' ')[1]).toBe(version);
});
