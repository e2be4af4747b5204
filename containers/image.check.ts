import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referencePaths } from '@orange-id/contract/reference.frame';
import { locatePostgres } from '../backend/src/database/postgres.binaries';
import { freePort } from '../backend/src/testing/test.app';
import { until } from '../backend/src/testing/until';
import { readCompose, Service } from './compose.file';
import { Account, buildImage, run, sealTree, stepEnvironment } from './image.builder';
import { readDockerfile, root, Stage } from './image.file';

const say = (line: string) => void process.stdout.write(`  ${line}\n`);

/**
 * Replaces a container engine. An unprivileged account runs the Dockerfile's steps one by one in clean folders. The
 * image's command then starts the result with the settings of docker-compose.yml, on a PostgreSQL created and started
 * as that file says. Different from a container: the address of the database and the port, because they may be in use;
 * the operating system; and the working directory, which is not /portal.
 */
describe('the image, built and run by its own steps', () => {
  jest.setTimeout(600_000);
  const stages = readDockerfile();
  const image = stages.at(-1) as Stage;
  let folder: string;
  let account: Account;
  let application: string;
  let postgres: Service;
  let portalEnvironment: Record<string, string>;
  let databasePort: number;
  let database: Database;

  beforeAll(async () => {
    account = accountWithoutRights();
    folder = await mkdtemp(join(tmpdir(), 'portal-image-'));
    await chmod(folder, 0o755);
    const home = await ownFolder('home');

    const answers = await answersOfDeployment(await ownFolder('readme'));
    const port = await freePort();
    databasePort = await freePort();
    const compose = readCompose(answers);
    postgres = compose.services['postgres'] as Service;
    const given = (compose.services['portal'] as Service).environment;
    portalEnvironment = {
      ...image.environment,
      ...given,
      PORT: String(port),
      DATABASE_URL: (given['DATABASE_URL'] as string).replace(
        '@postgres:5432/',
        `@127.0.0.1:${databasePort}/`,
      ),
      // No server listens there: emails wait, and registering works.
      SMTP_URL: 'smtp://127.0.0.1:9',
    };
    expect(portalEnvironment['DATABASE_URL']).toContain(`@127.0.0.1:${databasePort}/`);

    const folders = await buildImage(stages, { into: await ownFolder('stages'), home, account, say });
    application = join(folders.get(image.name) as string, image.workdir);
    await sealTree(application, account);
    database = await makeDatabase(await ownFolder('database'), postgres, databasePort);
    await database.start();
  });

  afterAll(async () => {
    await database?.stop();
    // Only root can remove files from read-only folders.
    execFileSync('chmod', ['-R', 'u+w', folder]);
    await rm(folder, { recursive: true, force: true });
  });

  /** Creates a folder that the account owns. */
  const ownFolder = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(path);
    if (account !== null) execFileSync('chown', [`${account.uid}:${account.gid}`, path]);
    return path;
  };
  const health = () =>
    run(image.health as string[], {
      cwd: application,
      env: stepEnvironment(portalEnvironment, '/nonexistent'),
      account,
    });

  test('the packages match the lock file, and the image has only those that the bundle loads', async () => {
    const locked = await versionsIn(join(root, 'package-lock.json'));
    const installed = await versionsIn(
      join(folder, 'stages', 'build', image.workdir, 'node_modules/.package-lock.json'),
    );
    expect(installed.size).toBeGreaterThan(200);
    expect([...installed].filter(([path, version]) => locked.get(path) !== version)).toEqual([]);
    const packages = await readdir(join(application, 'node_modules'));
    expect(packages.sort()).toEqual([
      '@img',
      '@node-rs',
      '@scarf',
      'detect-libc',
      'semver',
      'sharp',
      'swagger-ui-dist',
    ]);
    const folders = ['.data', 'backend', 'frontend', 'node_modules'];
    expect((await readdir(application)).sort()).toEqual(folders);
    // `pictures` is empty, because the volume of profile photos is mounted there.
    expect(await readdir(join(application, '.data'), { recursive: true })).toEqual(['pictures']);
    expect((await readdir(join(application, 'frontend', 'dist'))).sort()).toEqual([
      'app',
      'playground',
      'sdk',
      'widget',
    ]);
    const megabytes = (path: string) =>
      Math.round(Number(execFileSync('du', ['-sk', path]).toString().split('\t')[0]) / 1024);
    say(`${megabytes(application)} MB, of which packages ${megabytes(join(application, 'node_modules'))} MB`);
  });

  test('its command serves as an unprivileged account without write access, and its health command reports it', async () => {
    expect(await isWritable(join(application, 'backend'))).toBe(false);
    expect((await health()).code).not.toBe(0);

    const [program, ...args] = image.command as [string, ...string[]];
    const server = spawn(program, args, {
      cwd: application,
      env: { ...stepEnvironment(portalEnvironment, '/nonexistent'), TMPDIR: '/nonexistent' },
      ...account,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = outputOf(server);
    const exited = once(server, 'exit') as Promise<[number | null, string | null]>;
    try {
      await until(
        'the health command says yes',
        async () => {
          if (server.exitCode !== null) throw new Error(`the server ended: ${said()}`);
          return (await health()).code === 0;
        },
        60_000,
      );
      const url = `http://127.0.0.1:${portalEnvironment['PORT']}`;
      const page = await fetch(`${url}/`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('<div id="root">');
      expect((await fetch(`${url}/widget/passport.js`)).status).toBe(200);
      expect((await fetch(`${url}${referencePaths.page}`)).status).toBe(200);

      const password = 'a long enough password';
      const registered = await post(`${url}/api/v1/auth/email/register`, {
        email: 'somebody@example.com',
        password,
        passwordConfirm: password,
      });
      expect(registered.status).toBe(200);
      const { accessToken } = registered.body.token;
      const saved = await post(
        `${url}/api/keys`,
        { name: 'First' },
        { authorization: `Bearer ${accessToken}` },
      );
      expect(saved.status).toBe(201);
      const called = await fetch(`${url}/api/v1/key`, { headers: { 'x-api-key': saved.body.key } });
      expect(called.status).toBe(200);

      await database.stop();
      expect((await health()).code).not.toBe(0);
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      await database.start();
      await until('the health command says yes again', async () => (await health()).code === 0, 30_000);
      const usage = await fetch(`${url}/api/usage`, { headers: { authorization: `Bearer ${accessToken}` } });
      expect(JSON.stringify(await usage.json())).toContain('/api/v1/key');

      server.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
    } finally {
      if (server.exitCode === null && server.signalCode === null) server.kill('SIGKILL');
    }
  });

  test('the database requires the password, and its health command finds the database', async () => {
    const url = new URL(portalEnvironment['DATABASE_URL'] as string);
    url.password = 'another';
    const refused = await run(image.command as string[], {
      cwd: application,
      env: stepEnvironment({ ...portalEnvironment, DATABASE_URL: url.href }, '/nonexistent'),
      account,
    });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('DATABASE_URL must have the right user and password');

    const [, ...asked] = postgres.healthcheck?.test as string[];
    const isReady = () =>
      run(asked, { cwd: '/', env: { ...stepEnvironment({}, '/'), PGPORT: String(databasePort) }, account });
    try {
      expect((await isReady()).code).toBe(0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      say(`not run, because this machine has no ${asked[0]}: ${asked.join(' ')}`);
    }
  });

  test('without a required variable its command exits with one line that names it', async () => {
    for (const name of ['PORTAL_SECRET', 'PUBLIC_URL', 'DATABASE_URL']) {
      const { code, output } = await run(image.command as string[], {
        cwd: application,
        env: stepEnvironment({ ...portalEnvironment, [name]: '' }, '/nonexistent'),
        account,
      });
      expect(code).toBe(1);
      expect(JSON.parse(output)).toMatchObject({
        level: 'fatal',
        msg: expect.stringMatching(new RegExp(`^${name} must be set .*$`)),
      });
    }
  });

  /** Runs the commands of docs/DEPLOYMENT.md that write `.env`, and returns its variables. */
  async function answersOfDeployment(cwd: string): Promise<Record<string, string>> {
    const section =
      (await readFile(join(root, 'docs/DEPLOYMENT.md'), 'utf8')).split('\n## Run it with Docker\n')[1] ?? '';
    const block = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
    const { code, output } = await run(['sh', '-ec', block.replace('docker compose up', '')], {
      cwd,
      env: stepEnvironment({}, cwd),
      account,
    });
    if (code !== 0) throw new Error(`the commands of docs/DEPLOYMENT.md ended with ${code}: ${output}`);
    const lines = (await readFile(join(cwd, '.env'), 'utf8')).trim().split('\n');
    return Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]));
  }

  async function isWritable(path: string): Promise<boolean> {
    const { code } = await run(['sh', '-c', 'touch "$0/x"', path], {
      cwd: '/',
      env: stepEnvironment({}, '/'),
      account,
    });
    return code === 0;
  }
});

/** Path and version of every package in a lock file. */
async function versionsIn(lockFile: string): Promise<Map<string, string | undefined>> {
  const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  return new Map(Object.entries(packages).map(([path, { version }]) => [path, version]));
}

interface Database {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the cluster from the variables of `service`, as the PostgreSQL image does, listening on 127.0.0.1. */
async function makeDatabase(folder: string, service: Service, port: number): Promise<Database> {
  const { dir, runAs } = await locatePostgres(__filename);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const { POSTGRES_USER, POSTGRES_PASSWORD, PORTAL_PASSWORD, POSTGRES_INITDB_ARGS } =
    service.environment as Record<
      'POSTGRES_USER' | 'POSTGRES_PASSWORD' | 'PORTAL_PASSWORD' | 'POSTGRES_INITDB_ARGS',
      string
    >;
  await writeFile(passwordFile, `${POSTGRES_PASSWORD}\n`, { mode: 0o644 });
  const env = { PATH: process.env['PATH'] as string, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const act = async (program: string, args: string[], input = '') => {
    const child = spawn(join(dir, 'bin', program), args, { cwd: folder, env, ...runAs });
    const said = outputOf(child);
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${said()}`);
  };
  await act('initdb', [
    `--username=${POSTGRES_USER}`,
    `--pwfile=${passwordFile}`,
    ...POSTGRES_INITDB_ARGS.split(' '),
    '-D',
    data,
  ]);
  // The statements of the script that the image runs in a new cluster.
  const script = await readFile(join(root, 'ops/postgres.init.sh'), 'utf8');
  const statements = /<<'SQL'\n([\s\S]*?)\nSQL\n/.exec(script)?.[1] ?? '';
  await act(
    'postgres',
    ['--single', '-j', '-D', data, 'postgres'],
    statements.replace(":'password'", `'${PORTAL_PASSWORD}'`).replaceAll(';\n', ';\n\n') + '\n\n',
  );
  const log = join(folder, 'log');
  const settings = [
    `-c listen_addresses=127.0.0.1`,
    `-c port=${port}`,
    `-k ${folder}`,
    ...(service.command ?? []).slice(1),
  ];
  let isUp = false;
  return {
    start: async () => {
      const child = spawn(
        join(dir, 'bin', 'pg_ctl'),
        ['start', '-w', '-s', '-D', data, '-l', log, '-o', settings.join(' ')],
        { cwd: folder, env, ...runAs, stdio: 'ignore' },
      );
      const [code] = (await once(child, 'close')) as [number];
      if (code !== 0) throw new Error(`PostgreSQL did not start: ${await readFile(log, 'utf8')}`);
      isUp = true;
    },
    stop: async () => {
      if (isUp) await act('pg_ctl', ['stop', '-w', '-s', '-m', 'fast', '-D', data]);
      isUp = false;
    },
  };
}

/** For root: the account `nobody`. Other users are unprivileged already. */
function accountWithoutRights(): Account {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody']).toString()));
  return { uid: uid as number, gid: gid as number };
}

function outputOf(child: ChildProcess): () => string {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return () => said;
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads whatever the wire carried
  return { status: answer.status, body: (await answer.json()) as any };
}
