import { expect, jest, test } from '@jest/globals';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { QueryClient } from '@tanstack/react-query';
import { http } from 'msw';
import { readSubmittedProjects } from '../../api/projects/submitted.projects';
import { json, network } from '../../testing/network';
import { submitProject } from './project.submission';

const created = { projectId: 'orange-k3x9p2m7qa', apiKey: `oid_${'k'.repeat(33)}` };
const submit = () => {
  localStorage.setItem(storageKeys.accessToken, 'token-1');
  network.use(http.post('/devportal/v1/project', () => json(created, 201)));
  const project = { projectName: 'Acme', urls: ['https://acme.example.com'] };
  return submitProject(project, { userId: 'user-1', queryClient: new QueryClient() });
};
const failToStore = (error: Error) =>
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation((name) => {
    if (name === storageKeys.submittedProjects) throw error;
  });

test('a created project is stored in the browser', async () => {
  expect(await submit()).toEqual(created);
  expect(readSubmittedProjects()).toMatchObject([{ id: created.projectId, name: 'Acme', status: 'created' }]);
});

test('a project counts as created even if the browser’s storage is full', async () => {
  const full = new DOMException('Full', 'QuotaExceededError');
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  localStorage.setItem(storageKeys.accessToken, 'token-1');
  failToStore(full);
  expect(await submit()).toEqual(created);
  expect(warn.mock.calls).toEqual([['submittedProjects could not be stored', full]]);
});

test('a defect while storing a project is not taken for a full storage', async () => {
  localStorage.setItem(storageKeys.accessToken, 'token-1');
  failToStore(new TypeError('No such function'));
  await expect(submit()).rejects.toThrow('No such function');
});
