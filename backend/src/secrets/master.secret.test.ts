import { describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnvironment } from '../config/environment.js';
import { loadMasterSecrets } from './master.secret.js';

describe('the local master secret', () => {
  test('is created once, stored with mode 0600, and reused', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-secret-'));
    const environment = parseEnvironment({ DATA_DIR: join(dataDir, 'inner') });
    const first = loadMasterSecrets(environment);
    expect(first.current).toMatch(/^[0-9a-f]{64}$/);
    expect(loadMasterSecrets(environment)).toEqual(first);
    expect((await stat(join(dataDir, 'inner', 'portal.secret'))).mode & 0o777).toBe(0o600);
    await rm(dataDir, { recursive: true });
  });

  test('a damaged secret is refused, not used', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-secret-'));
    await writeFile(join(dataDir, 'portal.secret'), '');
    expect(() => loadMasterSecrets(parseEnvironment({ DATA_DIR: dataDir }))).toThrow(
      'must have at least 32 characters (it has 0)',
    );
    await rm(dataDir, { recursive: true });
  });

  test('a configured secret is used and nothing is written', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-secret-'));
    const secret = 's'.repeat(32);
    const environment = parseEnvironment({ DATA_DIR: join(dataDir, 'inner'), PORTAL_SECRET: secret });
    expect(loadMasterSecrets(environment)).toEqual({ current: secret, previous: null });
    await expect(stat(join(dataDir, 'inner'))).rejects.toThrow('ENOENT');
    await rm(dataDir, { recursive: true });
  });
});
