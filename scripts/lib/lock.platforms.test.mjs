import { expect, test } from '@jest/globals';
import { missingBuilds } from './lock.platforms.mjs';

const compiler = {
  optionalDependencies: { 'compiler-linux-x64': '1.0.0', 'compiler-darwin-arm64': '1.0.0' },
};

test('a platform package missing from the lock file is named with the package that needs it', () => {
  expect(missingBuilds({ 'node_modules/compiler': compiler, 'node_modules/compiler-linux-x64': {} })).toEqual(
    ['compiler: compiler-darwin-arm64'],
  );
});

test('a build is found beside its package, inside it, and in the root', () => {
  const builds = {
    'node_modules/tool/node_modules/compiler/node_modules/compiler-linux-x64': {},
    'node_modules/compiler-darwin-arm64': {},
  };
  expect(missingBuilds({ 'node_modules/tool/node_modules/compiler': compiler, ...builds })).toEqual([]);
  expect(
    missingBuilds({
      'node_modules/tool/node_modules/compiler': compiler,
      'node_modules/tool/node_modules/compiler-linux-x64': {},
      'node_modules/tool/node_modules/compiler-darwin-arm64': {},
    }),
  ).toEqual([]);
});

test('a build inside another package does not count', () => {
  const elsewhere = {
    'node_modules/other/node_modules/compiler-linux-x64': {},
    'node_modules/other/node_modules/compiler-darwin-arm64': {},
  };
  expect(missingBuilds({ 'node_modules/compiler': compiler, ...elsewhere })).toHaveLength(2);
});
