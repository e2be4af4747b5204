import { expect, test } from '@jest/globals';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { makeOwnCluster } from '../testing/own.postgres.js';
import { logMaxBytes, startEmbeddedPostgres } from './embedded.postgres.js';

test('an oversized log is cut to its last part, and the server keeps writing to it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true });
  const client = new pg.Client(postgres.address);
  await client.connect();
  const [{ folder }] = (await client.query("select current_setting('data_directory') as folder")).rows;
  const home = join(folder, '..');
  const log = join(home, 'postgres.log');
  try {
    const before = await readFile(log, 'utf8');
    await postgres.trimLog();
    expect(await readFile(log, 'utf8')).toBe(before);
    await appendFile(log, `${'x'.repeat(99)}\n`.repeat(logMaxBytes / 100));
    await appendFile(log, 'the last line\n');
    await postgres.trimLog();
    expect((await stat(log)).size).toBeLessThan(100_000);
    await expect(client.query('select nothing from nowhere')).rejects.toThrow('nowhere');
    const after = await readFile(log, 'utf8');
    expect(after).toMatch(/^x{99}\n/);
    expect(after).toMatch(/x\nthe last line\n[^\n]*ERROR: {2}relation "nowhere" does not exist/);
    await rm(log);
    await postgres.trimLog();
  } finally {
    await client.end();
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
    await rm(postgres.address.host, { recursive: true, force: true });
  }
}, 60_000);

test('a server whose pid file is temporarily unreadable does not count as stopped, so that its file is not removed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true });
  const client = new pg.Client(postgres.address);
  await client.connect();
  const [{ folder }] = (await client.query("select current_setting('data_directory') as folder")).rows;
  await client.end();
  const file = join(folder, 'postmaster.pid');
  const content = await readFile(file, 'utf8');
  try {
    // Reading a folder fails like reading without free descriptors: the file exists, its content is unknown.
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

const rootTest = process.getuid?.() === 0 ? test : test.skip;
rootTest(
  'as root, a data folder restored without its cluster is refused with both paths, and not started empty',
  async () => {
    const { dataDir, folder, remove } = await makeOwnCluster();
    const home = join(folder, '..');
    try {
      await writeFile(join(dataDir, 'portal.secret'), 's'.repeat(32));
      await rename(home, `${home}.away`);
      await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
        `DATA_DIR has the file cluster.id of a database that is not on this machine: ${home} is missing; restore that ` +
          `folder, too, or delete ${join(dataDir, 'cluster.id')} to start with an empty database`,
      );
      await expect(stat(home)).rejects.toThrow('ENOENT');
      await rename(`${home}.away`, home);
      const postgres = await startEmbeddedPostgres({ dataDir });
      expect(await postgres.accepts()).toBe(true);
      await postgres.stop();
    } finally {
      await remove();
    }
  },
  60_000,
);

test('a server that does not start is reported with the last lines of its log', async () => {
  const { dataDir, folder, remove } = await makeOwnCluster();
  try {
    await appendFile(join(folder, 'postgresql.conf'), "work_mem = 'plenty'\n");
    const report = String(await startEmbeddedPostgres({ dataDir }).catch((error: Error) => error.message));
    expect(report).toMatch(/^pg_ctl ended with code 1: /);
    expect(report).toContain('LOG:  invalid value for parameter "work_mem": "plenty"\n');
    expect(report).toMatch(/FATAL: {2}configuration file "[^"]+\/postgresql\.conf" contains errors\n$/);
    expect(report.split('\n').length).toBeLessThan(12);
  } finally {
    await remove();
  }
}, 60_000);
