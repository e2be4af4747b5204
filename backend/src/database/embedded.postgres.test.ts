import { expect, test } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from './embedded.postgres.js';

test('a server whose pid file cannot be read now is not taken for one that ended, so that its file is not removed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true });
  const client = new pg.Client(postgres.address);
  await client.connect();
  const [{ folder }] = (await client.query("select current_setting('data_directory') as folder")).rows;
  await client.end();
  const file = join(folder, 'postmaster.pid');
  const content = await readFile(file, 'utf8');
  try {
    // Reading a folder fails as reading does when no descriptor is left: the file is there, its content is not known.
    await rename(file, `${file}.kept`);
    await mkdir(file);
    await expect(postgres.isRunning()).rejects.toThrow('EISDIR');
    await rmdir(file);
    expect(await postgres.isRunning()).toBe(false);
    await rename(`${file}.kept`, file);
    expect(await postgres.isRunning()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(content);
  } finally {
    await postgres.stop();
    await rm(join(folder, '..'), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
    await rm(postgres.address.host, { recursive: true, force: true });
  }
}, 60_000);
