import { afterEach, expect, jest, test } from '@jest/globals';
import fs from 'node:fs';
import { clusterFolders } from './cluster.folders.js';

afterEach(() => void jest.restoreAllMocks());

test.each<{ where: string; memory: () => fs.StatsFs; home: string }>([
  {
    where: 'in memory if there is enough',
    memory: () => ({ bavail: 1024 ** 2, bsize: 4096 }) as fs.StatsFs,
    home: '/dev/shm/orange-portal-id',
  },
  {
    where: 'in the data folder if there is less',
    memory: () => ({ bavail: 1024 ** 2 - 1, bsize: 4096 }) as fs.StatsFs,
    home: '/data',
  },
  {
    where: 'in the data folder on a system without that folder, such as macOS',
    memory: () => {
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    },
    home: '/data',
  },
])('a throwaway database is $where', ({ memory, home }) => {
  jest.spyOn(fs, 'statfsSync').mockImplementation(memory as never);
  expect(clusterFolders('id', { dataDir: '/data', asRoot: false, throwaway: true }).home).toBe(home);
});
