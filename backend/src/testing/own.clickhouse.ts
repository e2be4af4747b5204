import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { freePort } from './test.app.js';
import { until } from './until.js';

/** A separate ClickHouse for one test file, which may be stopped in any way. */
export interface OwnClickHouse {
  /** Its `CLICKHOUSE_URL`. */
  url: string;
  /** Ends its process with `signal` and resolves when it is gone. */
  stop(signal?: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  startAgain(): Promise<void>;
  remove(): Promise<void>;
}

const program = 'clickhouse-server';
/** The server ends itself after this time, even if the test process was killed. */
const lifeSeconds = 1_800;
const password = "it's a \\ secret";

const isInstalled = (): boolean => {
  const { PATH } = process.env;
  return spawnSync(program, ['--version'], { env: { PATH: `${PATH}:/usr/sbin` } }).error === undefined;
};

/** Tests that need a real ClickHouse: skipped, with a line that says so, where none is installed. */
export function describeClickHouse(name: string, tests: () => void): void {
  if (isInstalled()) return describe(name, tests);
  process.stderr.write(`skipped without ${program} (npm run test:clickhouse installs it): ${name}\n`);
  describe.skip(name, tests);
}

export async function startOwnClickHouse(): Promise<OwnClickHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-clickhouse-'));
  const port = await freePort();
  for (const name of ['data', 'tmp']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'config.xml'), config(folder, port));
  await writeFile(join(folder, 'users.xml'), users);

  const base = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${base}/ping`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const pidOf = async () => {
    const status = await readFile(join(folder, 'data', 'status'), 'utf8').catch(() => '');
    return Number(/^PID: (\d+)/m.exec(status)?.[1] ?? 0);
  };
  const start = async () => {
    const { PATH } = process.env;
    const child = spawn(
      'timeout',
      [String(lifeSeconds), program, `--config-file=${join(folder, 'config.xml')}`],
      {
        cwd: folder,
        stdio: 'ignore',
        detached: true,
        env: { PATH: `${PATH}:/usr/sbin`, TZ: 'UTC' },
      },
    );
    child.unref();
    await until('ClickHouse answers', answers, 30_000);
  };
  await start();
  const stop = async (signal: NodeJS.Signals = 'SIGKILL') => {
    const pid = await pidOf();
    if (pid === 0 || !isRunning(pid)) return;
    process.kill(pid, signal);
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') return;
    await until('ClickHouse is gone', () => !isRunning(pid), 30_000);
  };
  return {
    url: `http://portal:${encodeURIComponent(password)}@127.0.0.1:${port}/portal`,
    stop,
    startAgain: start,
    remove: async () => {
      await stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const config = (folder: string, port: number): string => `<?xml version="1.0"?>
<yandex>
  <logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <http_port>${port}</http_port>
  <listen_host>127.0.0.1</listen_host>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <mark_cache_size>67108864</mark_cache_size>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
</yandex>
`;

const users = `<?xml version="1.0"?>
<yandex>
  <profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles>
  <users><portal>
    <password>${password}</password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota>
  </portal></users>
  <quotas><default/></quotas>
</yandex>
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
