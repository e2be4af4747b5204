import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backendPaths } from './backend.paths';

test('the development server proxies every path in the OpenAPI document', () => {
  const { paths } = JSON.parse(readFileSync(join(__dirname, '..', 'docs', 'openapi.json'), 'utf8')) as {
    paths: Record<string, unknown>;
  };
  const first = new Set(Object.keys(paths).map((path) => `/${path.split('/')[1]}`));
  expect([...first].filter((path) => !backendPaths.includes(path))).toEqual([]);
});
