import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { urlOf } from './database.mjs';
import { freePort } from './processes.mjs';

/** Registers an account in a portal; returns its tokens, an API key and its email. */
export async function signUp(url) {
  const post = async (path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const password = randomBytes(12).toString('hex');
  const email = 'bench@example.com';
  const { token } = await post('/api/v1/auth/email/register', { email, password, passwordConfirm: password });
  const { key } = await post(
    '/api/keys',
    { name: 'Bench' },
    { authorization: `Bearer ${token.accessToken}` },
  );
  return { token, key, email };
}

/** Starts the built portal on a database. */
export async function startPortal(address) {
  const [port, dataDir] = [await freePort(), await mkdtemp(join(tmpdir(), 'portal-bench-'))];
  const url = `http://localhost:${port}`;
  const main = fileURLToPath(new URL('../../backend/dist/main.js', import.meta.url));
  const child = spawn(process.execPath, ['--max-semi-space-size=64', main], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      DATABASE_URL: urlOf(address),
      PORTAL_SECRET: randomBytes(32).toString('hex'),
      // No server listens there: the account's email waits. LOG_LEVEL hides the warning about it.
      SMTP_URL: 'smtp://127.0.0.1:9',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the portal ended with code ${child.exitCode}`);
    await delay(100);
  }
  return {
    url,
    async stop() {
      if (child.exitCode === null) {
        child.kill();
        await once(child, 'exit');
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
