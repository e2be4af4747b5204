import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress } from '../config/database.address.js';
import { freePort } from './test.app.js';
import { until } from './until.js';

/** The built portal in a separate process, which may be killed. */
export interface ServerProcess {
  url: string;
  isRunning(): boolean;
  /** Everything it printed. */
  output(): string;
  /** Sends a signal and returns how the process ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ code: number | null; signal: string | null }>;
}

/** Starts `main.js` on an existing database and resolves when it is ready. `variables` are environment variables. */
export async function startServer(
  address: DatabaseAddress,
  variables: Record<string, string> = {},
): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
  const server = await startOn(dataDir, {
    DATABASE_URL: `postgres://${address.user}@localhost:${address.port}/${address.database}?host=${encodeURIComponent(address.host)}`,
    ...variables,
  });
  return {
    ...server,
    end: async (signal) => {
      const end = await server.end(signal);
      await rm(dataDir, { recursive: true, force: true });
      return end;
    },
  };
}

/** The same with the embedded database of a data folder, which is kept. */
export const startEmbeddedServer = (
  dataDir: string,
  variables: Record<string, string> = {},
): Promise<ServerProcess> => startOn(dataDir, variables);

async function startOn(dataDir: string, variables: Record<string, string>): Promise<ServerProcess> {
  const port = await freePort();
  const main = join(__dirname, '..', '..', 'dist', 'main.js');
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_ADDRESS: '1000000',
      RATE_LIMIT_PER_KEY: '1000000',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  const url = `http://localhost:${port}`;
  await until(
    'the portal is ready',
    async () => {
      if (!isRunning()) throw new Error(`the portal ended at once: ${said}`);
      return fetch(`${url}/health/ready`).then(
        (answer) => answer.ok,
        () => false,
      );
    },
    20_000,
  );
  return {
    url,
    isRunning,
    output: () => said,
    end: async (signal) => {
      child.kill(signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
}
