import { expect, test } from '@jest/globals';
import type { Project } from '@orange-id/contract/projects.schema';
import { chooseProject } from './shown.project';

const project = (name: string, code = `orange-${name}`): Project => ({
  id: code,
  code,
  projectName: name,
  apiKey: 'oid_1',
  urls: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUpdatedAt: '2026-01-01T00:00:00.000Z',
});
const [a, b] = [project('a'), project('b')];

test('the named one, else the first', () => {
  expect(chooseProject([a, b], 'b', null)).toEqual({ selected: b, gone: null });
  expect(chooseProject([a, b], null, null)).toEqual({ selected: a, gone: null });
  expect(chooseProject([], null, null)).toEqual({ selected: undefined, gone: null });
  expect(chooseProject([a], 'x', null)).toEqual({ selected: undefined, gone: null });
});

test('a project made elsewhere does not take the place of the one that is shown', () => {
  expect(chooseProject([project('new'), a, b], null, a)).toEqual({ selected: a, gone: null });
});

test('one deleted elsewhere is not silently replaced by another', () => {
  expect(chooseProject([b], null, a)).toEqual({ selected: undefined, gone: a });
  expect(chooseProject([b], 'a', a)).toEqual({ selected: undefined, gone: a });
  expect(chooseProject([], null, a)).toEqual({ selected: undefined, gone: a });
});

test('choosing another, or one made anew under the name, ends that', () => {
  expect(chooseProject([b], 'b', a)).toEqual({ selected: b, gone: null });
  expect(chooseProject([b], 'x', a)).toEqual({ selected: undefined, gone: null });
  const again = project('a', 'orange-again');
  expect(chooseProject([again, b], 'a', a)).toEqual({ selected: again, gone: null });
});
