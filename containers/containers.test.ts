import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, parseEnvironment, variableNames } from '../backend/src/config/environment';
import { keptMemory } from '../backend/src/database/embedded.postgres';
import { composeVariables, DemandedVariable, readCompose, Service } from './compose.file';
import { contextFilter, readDockerfile, root, Stage } from './image.file';

const stages = readDockerfile();
const image = stages.at(-1) as Stage;
const isIgnored = contextFilter();
/** The variables that docs/DEPLOYMENT.md puts into `.env`. */
const answers: Record<string, string> = {
  PUBLIC_URL: 'http://localhost:3000',
  PORTAL_SECRET: randomBytes(32).toString('hex'),
  POSTGRES_PASSWORD: '7c'.repeat(24),
};
const compose = readCompose(answers);
const { postgres, portal, haproxy } = compose.services as Record<'postgres' | 'portal' | 'haproxy', Service>;
const portalEnvironment = { ...image.environment, ...portal.environment };

/** `10s`, `1m30s` in seconds. */
const secondsOf = (duration: string): number =>
  [...duration.matchAll(/(\d+)(ms|s|m|h)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * { ms: 0.001, s: 1, m: 60, h: 3600 }[unit as 's'],
    0,
  );

describe('the image', () => {
  test('every file it copies from the repository exists and is not ignored', () => {
    const sources = stages.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'copy' && step.from === null ? step.sources : [])),
    );
    expect(sources).toContain('backend');
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    // At least one file of a folder must be copied.
    const filesOf = (path: string): string[] =>
      statSync(join(root, path)).isFile()
        ? [path]
        : readdirSync(join(root, path)).flatMap((name) =>
            isIgnored(`${path}/${name}`) ? [] : filesOf(`${path}/${name}`),
          );
    expect(sources.filter((path) => filesOf(path).every((file) => isIgnored(file)))).toEqual([]);
    for (const path of [
      'backend/src/main.ts',
      'backend/rolldown.config.mjs',
      'backend/tsconfig.json',
      'contract/src/limits.ts',
      'frontend/index.html',
      'frontend/public/default-avatar.svg',
      'frontend/widget/main.ts',
      'scripts/lib/parts.mjs',
      'stubs/empty/package.json',
    ]) {
      expect([path, existsSync(join(root, path)), isIgnored(path)]).toEqual([path, true, false]);
    }
  });

  test.each([
    '.env',
    'backend/.env',
    'frontend/.env.local',
    '.git/config',
    '.data/portal.secret',
    '.cache/build/app',
    'node_modules/zod/package.json',
    'frontend/node_modules/vite/package.json',
    'backend/dist/main.js',
    'backend/src/main.test.ts',
    'backend/src/testing/test.app.ts',
    'e2e/journeys/usage.spec.ts',
    'docker-compose.yml',
    'bench/run.mjs',
  ])('.dockerignore excludes %s', (path) => {
    expect(isIgnored(path)).toBe(true);
  });

  test('every file it copies from another stage comes from an earlier one and lies below its working directory', () => {
    for (const [place, { steps }] of stages.entries()) {
      for (const step of steps) {
        if (step.kind !== 'copy' || step.from === null) continue;
        const from = stages.slice(0, place).find(({ name }) => name === step.from);
        expect([step.from, from === undefined]).toEqual([step.from, false]);
        for (const path of step.sources) expect(path.startsWith(`${from?.workdir}/`)).toBe(true);
      }
    }
  });

  test('the install and build steps name scripts and workspaces of package.json', () => {
    const { scripts, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const commands = stages.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'run' ? [step.command] : [])),
    );
    const named = commands.flatMap((command) =>
      [...command.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name),
    );
    expect(named).toEqual(['build']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    // `npm ci` needs the manifest of every workspace.
    const manifests = stages[0]?.steps.flatMap((step) => (step.kind === 'copy' ? step.sources : []));
    expect(manifests).toEqual(
      expect.arrayContaining(workspaces.map((name: string) => `${name}/package.json`)),
    );
  });

  test('its Node is pinned to a whole version that package.json allows', () => {
    const bases = stages.map(({ base }) => base).filter((base) => !stages.some(({ name }) => name === base));
    expect(new Set(bases).size).toBe(1);
    const [, major, minor] = /^node:(\d+)\.(\d+)\.\d+-[a-z-]+$/.exec(bases[0] as string) ?? [];
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(engines.node).toBe('>=20.19');
    // Node 24 gets security updates until April 2028; odd versions have no long-term support.
    expect(Number(major)).toBeGreaterThanOrEqual(24);
    expect([Number(major) % 2, Number(minor) > 0]).toEqual([0, true]);
  });

  test('it runs the built server in production mode, not as root, on the port it exposes', () => {
    expect(image.command?.at(-1)).toBe('backend/dist/main.js');
    expect(image.command?.[0]).toBe('node');
    const [uid, gid] = (image.user ?? '').split(':').map(Number);
    expect([Number(uid) > 0, Number(gid) > 0]).toEqual([true, true]);
    expect(image.environment['NODE_ENV']).toBe('production');
    expect(image.ports).toEqual([Number(image.environment['PORT'])]);
  });

  test('its health command requests the readiness check', () => {
    const script = image.health?.at(-1) ?? '';
    // Not Node, which takes longer to start than the check.
    expect(image.health?.slice(0, 2)).toEqual(['bash', '-c']);
    expect(script).toContain('/dev/tcp/127.0.0.1/$PORT');
    const asked = /GET (\/[\w/]+) HTTP/.exec(script)?.[1] ?? '';
    expect(asked).toBe('/health/ready');
    const { paths } = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'));
    expect(paths[asked].get.summary).toContain('can serve');
  });
});

describe('docker-compose.yml', () => {
  test('has two services, PostgreSQL and the portal, and the others only with a profile', () => {
    const names = Object.keys(compose.services);
    expect(names.filter((name) => compose.services[name]?.profiles === undefined)).toEqual([
      'postgres',
      'portal',
    ]);
    expect(existsSync(join(root, portal.build as string, 'Dockerfile'))).toBe(true);
    expect(portal.image).toBeUndefined();
    expect(postgres.image).toMatch(/^postgres:\d+\.\d+-[a-z]+$/);
  });

  test.each(Object.keys(compose.services))('%s has limits for memory, processors and processes', (name) => {
    const { mem_limit: memory, cpus, pids_limit: processes } = compose.services[name] as Service;
    expect([name, memory, cpus, processes]).toEqual([
      name,
      expect.stringMatching(/^\d+[mg]$/),
      expect.any(Number),
      expect.any(Number),
    ]);
  });

  test('with the profile scale, HAProxy leads to two portals that differ in nothing but their names', () => {
    const scaled = Object.entries(compose.services).filter(([, { profiles }]) => profiles?.includes('scale'));
    expect(scaled.map(([name]) => name)).toEqual(expect.arrayContaining(['portal-b', 'haproxy']));
    const { profiles, ports, ...second } = compose.services['portal-b'] as Service;
    const { ports: _, ...first } = portal;
    expect([profiles, ports, second]).toEqual([['scale'], [], first]);
    const settings = readFileSync(join(root, 'ops/haproxy.cfg'), 'utf8');
    const used = [...settings.matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name);
    expect(used.sort()).toEqual(Object.keys(haproxy.environment).sort());
    expect(haproxy.environment).toMatchObject({ PORTAL_A: 'portal:3000', PORTAL_B: 'portal-b:3000' });
    expect(haproxy.volumes).toEqual(['./ops/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro']);
    // It must notice a portal that stops while that portal still serves.
    const [, interval, failures] = /inter (\d+)s fall (\d+)/.exec(settings) ?? [];
    const { DRAIN_SECONDS } = parseEnvironment(portalEnvironment);
    expect(Number(interval) * Number(failures) + 1).toBeLessThan(DRAIN_SECONDS);
  });

  test.each(Object.keys(compose.services))(
    '%s cannot write outside its volumes and gains no privilege',
    (name) => {
      const service = compose.services[name] as Service;
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect([service.cap_add, service.privileged]).toEqual([undefined, undefined]);
      // The image of HAProxy has an account of its own.
      expect(service.user ?? image.user).not.toMatch(/^(root|0)(:|$)/);
    },
  );

  test('without a required variable it names the variable and what to set', () => {
    const { demanded } = composeVariables();
    expect(new Set(demanded)).toEqual(new Set(Object.keys(answers)));
    for (const missing of demanded) {
      const rest = Object.fromEntries(Object.entries(answers).filter(([name]) => name !== missing));
      expect(() => readCompose(rest)).toThrow(DemandedVariable);
      expect(() => readCompose(rest)).toThrow(new RegExp(`^${missing} must be set.*; for example `));
    }
  });

  test('the portal gets only variables it reads, and all that it can use in a container', () => {
    const given = Object.keys(portalEnvironment);
    // The C library reads it.
    expect(given.filter((name) => !variableNames.includes(name))).toEqual(['MALLOC_ARENA_MAX']);
    // Paths in a clone, and the shutdown time, which stop_grace_period must match.
    expect(variableNames.filter((name) => !given.includes(name))).toEqual([
      'DATA_DIR',
      'WEB_ROOT',
      'SHUTDOWN_SECONDS',
    ]);
    // Operators set variables by the names in docs/CONFIGURATION.md.
    const { read } = composeVariables();
    expect(read.filter((name) => !variableNames.includes(name)).sort()).toEqual([
      'CLICKHOUSE_PASSWORD',
      'PORTAL_PORT',
      'POSTGRES_PASSWORD',
      'SCALE_PORT',
    ]);
    for (const name of read.filter((variable) => variableNames.includes(variable))) {
      const value = `value of ${name}`;
      expect(readCompose({ ...answers, [name]: value }).services['portal']?.environment[name]).toBe(value);
    }
  });

  test('the portal runs in production mode, and every required variable sets something that production requires', () => {
    const parsed = parseEnvironment(portalEnvironment);
    expect(parsed).toMatchObject({ isProduction: true, HOST: '0.0.0.0', PUBLIC_URL: answers['PUBLIC_URL'] });
    const secrets = ['PORTAL_SECRET', 'PUBLIC_URL', 'DATABASE_URL'];
    for (const name of secrets) {
      expect(() => parseEnvironment({ ...portalEnvironment, [name]: '' })).toThrow(ConfigurationError);
      expect(() => parseEnvironment({ ...portalEnvironment, [name]: '' })).toThrow(
        `${name} must be set when NODE_ENV is production`,
      );
    }
    // Every required variable changes one of them, so none is required without need.
    for (const name of composeVariables().demanded) {
      const changed =
        readCompose({ ...answers, [name]: `${answers[name]}1` }).services['portal']?.environment ?? {};
      expect([name, secrets.some((secret) => changed[secret] !== portalEnvironment[secret])]).toEqual([
        name,
        true,
      ]);
    }
    expect(parseEnvironment({ PORT: portalEnvironment['PORT'] }).isProduction).toBe(false);
  });

  test('the portal connects to the database service, and nothing else can reach it', () => {
    const url = new URL(portalEnvironment['DATABASE_URL'] as string);
    expect(url.hostname).toBe('postgres');
    expect(url.port).toBe('5432');
    expect(url.password).toBe(postgres.environment['PORTAL_PASSWORD']);
    const other = 'postgres://portal:secret@db.example.com/portal';
    expect(
      readCompose({ ...answers, DATABASE_URL: other }).services['portal']?.environment['DATABASE_URL'],
    ).toBe(other);
    expect(postgres.ports).toBeUndefined();
    expect(postgres.networks).toEqual(['database']);
    expect(compose.networks['database']).toEqual({ internal: true });
    expect(portal.networks).toEqual(['database', 'default']);
  });

  test('the portal’s role owns its database and is no superuser', () => {
    const url = new URL(portalEnvironment['DATABASE_URL'] as string);
    expect(url.username).not.toBe(postgres.environment['POSTGRES_USER']);
    expect(postgres.volumes).toContain('./ops/postgres.init.sh:/docker-entrypoint-initdb.d/portal.sh:ro');
    const script = readFileSync(join(root, 'ops/postgres.init.sh'), 'utf8');
    expect(script).toContain(`create role ${url.username} login replication password`);
    expect(script).toContain(`create database ${url.pathname.slice(1)} owner ${url.username};`);
    expect(script).not.toMatch(/superuser;/);
  });

  test('the portal starts once the health check reaches the database over TCP with its user and name', () => {
    expect(portal.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    const url = new URL(portalEnvironment['DATABASE_URL'] as string);
    const [user, database] = [url.username, url.pathname.slice(1)];
    expect(postgres.healthcheck?.test).toEqual([
      'CMD',
      'pg_isready',
      '-q',
      '-h',
      '127.0.0.1',
      '-U',
      user,
      '-d',
      database,
    ] as string[]);
    // The health check of the portal is in the image.
    expect(portal.healthcheck).toBeUndefined();
    expect(image.health).not.toBeNull();
  });

  test('the database keeps its memory between statements as the embedded one does', () => {
    expect(postgres.environment).toMatchObject(keptMemory);
  });

  test('the data outlive the containers, in the folder that this version of PostgreSQL uses', () => {
    expect(postgres.volumes?.[0]).toBe('database:/var/lib/postgresql');
    expect(Object.keys(compose.volumes)).toEqual(['database', 'pictures', 'calls']);
    // Since version 18 the image stores its data in a folder named by the version, below its volume.
    expect(Number(/^postgres:(\d+)/.exec(postgres.image as string)?.[1])).toBeGreaterThanOrEqual(18);
    expect(postgres.environment['PGDATA']).toBeUndefined();
    const tmpfs = (postgres.tmpfs ?? []).map((mount) => mount.split(':')[0]);
    expect(tmpfs).toEqual(['/run/postgresql', '/tmp']);
    expect(portal.tmpfs).toBeUndefined();
  });

  test('pictures outlive the containers, in a folder that the account of the image owns', () => {
    const { dataDir } = parseEnvironment({ DATA_DIR: join(image.workdir, '.data') });
    expect(parseEnvironment({}).DATA_DIR).toBe('.data');
    expect(portal.volumes).toEqual([`pictures:${dataDir}/pictures`]);
    const handedOver = image.steps.filter((step) => step.kind === 'copy' && step.target === '.data');
    expect(handedOver).toEqual([expect.objectContaining({ from: 'build', owner: image.user })]);
  });

  test('the portal is published on this machine only, on a configurable port', () => {
    expect(portal.ports).toEqual([`127.0.0.1:3000:${image.ports[0]}`]);
    const other = readCompose({ ...answers, PORTAL_PORT: '8080' }).services['portal'];
    expect(other?.ports).toEqual([`127.0.0.1:8080:${image.ports[0]}`]);
  });

  test('docker compose waits longer than the portal may take to shut down', () => {
    const { DRAIN_SECONDS, SHUTDOWN_SECONDS } = parseEnvironment(portalEnvironment);
    expect(DRAIN_SECONDS).toBeGreaterThan(0);
    // After that the portal cuts open requests, and has 10 s more to close.
    expect(secondsOf(portal.stop_grace_period as string)).toBeGreaterThan(
      DRAIN_SECONDS + SHUTDOWN_SECONDS + 10,
    );
  });

  test('docs/DEPLOYMENT.md sets every required variable', () => {
    const section =
      readFileSync(join(root, 'docs/DEPLOYMENT.md'), 'utf8').split('\n## Run it with Docker\n')[1] ?? '';
    const block = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
    expect(block).toContain('docker compose up');
    for (const name of composeVariables().demanded) expect(block).toContain(`${name}=`);
    const { read } = composeVariables();
    const settled = variableNames.filter((name) => !read.includes(name)).map((name) => `\`${name}\``);
    expect(section).toContain(
      `except these, which \`docker-compose.yml\` doesn't pass on: ${settled.join(', ')}.`,
    );
  });
});

describe('the service for systemd', () => {
  const unit = readFileSync(join(root, 'ops/portal@.service'), 'utf8');
  const lineOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  test('runs the built server as the image does', () => {
    const command = image.command?.join(' ');
    expect(lineOf('ExecStart')).toBe(`/usr/bin/${command}`);
  });

  test('waits longer than the portal may take to shut down', () => {
    const [, drain] = /DRAIN_SECONDS=(\d+)/.exec(lineOf('Environment')) ?? [];
    const { DRAIN_SECONDS, SHUTDOWN_SECONDS } = parseEnvironment({
      ...portalEnvironment,
      DRAIN_SECONDS: drain,
    });
    expect(DRAIN_SECONDS).toBeGreaterThan(0);
    expect(Number(lineOf('TimeoutStopSec'))).toBeGreaterThan(DRAIN_SECONDS + SHUTDOWN_SECONDS + 10);
  });
});
