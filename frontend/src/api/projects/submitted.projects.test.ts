import { expect, test } from '@jest/globals';
import type { SubmittedProject } from '@orange-id/contract/projects.schema';
import {
  readSubmittedProjects,
  removeSubmittedProject,
  renameSubmittedProject,
  storeIntegrationMethod,
  storeSubmittedProject,
} from './submitted.projects';

const entry: SubmittedProject = {
  id: 'orange-k3x9p2m7qa',
  name: 'Acme',
  submittedAt: '2025-01-01T00:00:00.000Z',
  whitelistedUrls: ['https://acme.example'],
  integrationMethod: 'undecided',
  status: 'created',
};

function memory(text?: string) {
  const map = new Map<string, string>(text === undefined ? [] : [['submittedProjects', text]]);
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
  };
}

test('projects are stored under submittedProjects, one per id', () => {
  const storage = memory();
  storeSubmittedProject(entry, storage);
  storeSubmittedProject({ ...entry, id: 'orange-2222222222' }, storage);
  storeSubmittedProject({ ...entry, name: 'Acme 2' }, storage);
  expect(JSON.parse(storage.map.get('submittedProjects') ?? '')).toEqual([
    { ...entry, id: 'orange-2222222222' },
    { ...entry, name: 'Acme 2' },
  ]);
});

test('a chosen integration method is stored only with its own project', () => {
  const storage = memory(JSON.stringify([entry]));
  storeIntegrationMethod(entry.id, 'react', storage);
  storeIntegrationMethod('orange-unknown000', 'react', storage);
  expect(readSubmittedProjects(storage)).toEqual([{ ...entry, integrationMethod: 'react' }]);
});

test('a new name is stored only with its own project', () => {
  const storage = memory(JSON.stringify([entry]));
  renameSubmittedProject(entry.id, 'Acme Ltd', storage);
  renameSubmittedProject('orange-unknown000', 'Other', storage);
  expect(readSubmittedProjects(storage)).toEqual([{ ...entry, name: 'Acme Ltd' }]);
});

test('deleting a project removes only its own entry, and an unknown project changes nothing', () => {
  const other = { ...entry, id: 'orange-2222222222' };
  const storage = memory(JSON.stringify([entry, other]));
  removeSubmittedProject('orange-unknown000', storage);
  expect(readSubmittedProjects(storage)).toEqual([entry, other]);
  removeSubmittedProject(entry.id, storage);
  expect(readSubmittedProjects(storage)).toEqual([other]);
});

test.each([
  ['not json', []],
  ['{}', []],
  ['null', []],
  [JSON.stringify([entry, { id: 1 }, null, 'x']), [entry]],
])('of a damaged list, only valid entries are read: %j', (text, entries) => {
  expect(readSubmittedProjects(memory(text))).toEqual(entries);
});
