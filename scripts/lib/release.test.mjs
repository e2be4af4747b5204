import { expect, test } from '@jest/globals';
import { releaseProblems, sectionsOf, withRelease } from './release.mjs';

const changelog = `# Changelog

Words.

## Unreleased

## 0.2.0 (2026-11-28)

### Added

- Two things.

## 0.1.0

The first.
`;
const ready = {
  version: '0.2.0',
  versions: { 'package.json': '0.2.0', 'backend/package.json': '0.2.0' },
  changelog,
  tags: ['v0.1.0', 'v0.0.9'],
  changes: [
    ['A', 'backend/src/database/migrations/0029-new.ts'],
    ['M', 'backend/src/main.ts'],
  ],
  isClean: true,
};

test('a version that is ready has no problem', () => {
  expect(releaseProblems(ready)).toEqual([]);
  expect(releaseProblems({ ...ready, tags: [] })).toEqual([]);
});

test.each([
  [{ isClean: false }, 'There are changes that are not committed: commit or stash them'],
  [
    { versions: { 'backend/package.json': '0.1.0' } },
    'backend/package.json must have the version 0.2.0 (it has 0.1.0)',
  ],
  [{ tags: ['v0.2.0'] }, 'The version must be above 0.2.0, the latest tag (it is 0.2.0)'],
  [{ tags: ['v0.2.0', 'v0.10.0'] }, 'The version must be above 0.10.0, the latest tag (it is 0.2.0)'],
  [
    { changelog: changelog.replace('## Unreleased\n', '## Unreleased\n\n- Not yet.\n') },
    'CHANGELOG.md must begin with an empty section Unreleased',
  ],
  [
    { changelog: changelog.replace(' (2026-11-28)', '') },
    "CHANGELOG.md must have the section '## 0.2.0 (2026-01-31)' with its date and a text",
  ],
  [
    { changes: [['M', 'backend/src/database/migrations/0001-init.ts']] },
    'backend/src/database/migrations/0001-init.ts is part of 0.1.0: databases have run it, so add a new migration instead',
  ],
])('%j is a problem', (fault, problem) => {
  expect(releaseProblems({ ...ready, ...fault })).toEqual([problem]);
});

test('what is unreleased becomes the section of the version', () => {
  const before = changelog.replace('## 0.2.0 (2026-11-28)\n\n', '');
  expect(withRelease(before, '0.2.0', '2026-11-28')).toBe(changelog);
  expect(sectionsOf(changelog).map(({ version, date }) => [version, date])).toEqual([
    ['Unreleased', undefined],
    ['0.2.0', '2026-11-28'],
    ['0.1.0', undefined],
  ]);
  expect(sectionsOf(changelog)[1].text).toBe('### Added\n\n- Two things.');
});
