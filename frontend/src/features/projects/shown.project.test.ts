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

test('the page shows the project named in the address, else the first one', () => {
  expect(chooseProject([a, b], 'b', null)).toEqual({ selected: b, gone: null });
  expect(chooseProject([a, b], null, null)).toEqual({ selected: a, gone: null });
  expect(chooseProject([], null, null)).toEqual({ selected: undefined, gone: null });
  expect(chooseProject([a], 'x', null)).toEqual({ selected: undefined, gone: null });
});

test('the address names a project by its ID or its name, and the ID wins', () => {
  expect(chooseProject([a, b], 'orange-b', null)).toEqual({ selected: b, gone: null });
  const calledLikeB = project('orange-b', 'orange-other');
  expect(chooseProject([calledLikeB, a, b], 'orange-b', null)).toEqual({ selected: b, gone: null });
  expect(chooseProject([calledLikeB, a], 'orange-b', null)).toEqual({ selected: calledLikeB, gone: null });
  expect(chooseProject([a], 'orange-b', b)).toEqual({ selected: undefined, gone: b });
});

test('a project created elsewhere does not replace the shown one', () => {
  expect(chooseProject([project('new'), a, b], null, a)).toEqual({ selected: a, gone: null });
});

test('a shown project that is deleted elsewhere is reported instead of replaced by another', () => {
  expect(chooseProject([b], null, a)).toEqual({ selected: undefined, gone: a });
  expect(chooseProject([b], 'a', a)).toEqual({ selected: undefined, gone: a });
  expect(chooseProject([], null, a)).toEqual({ selected: undefined, gone: a });
});

test('the report of a deleted project ends when another is selected or its name is used again', () => {
  expect(chooseProject([b], 'b', a)).toEqual({ selected: b, gone: null });
  expect(chooseProject([b], 'x', a)).toEqual({ selected: undefined, gone: null });
  const again = project('a', 'orange-again');
  expect(chooseProject([again, b], 'a', a)).toEqual({ selected: again, gone: null });
});

test('a shown project that is renamed elsewhere stays shown', () => {
  const renamed = { ...a, projectName: 'c' };
  expect(chooseProject([renamed, b], 'a', a)).toEqual({ selected: renamed, gone: null });
  expect(chooseProject([renamed, b], null, a)).toEqual({ selected: renamed, gone: null });
  expect(chooseProject([renamed, b], 'x', a)).toEqual({ selected: undefined, gone: null });
});
