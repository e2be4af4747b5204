import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ask, seedKeys, urlOf } from './database.mjs';
import { cores, firstMessage, freePort, startNode } from './processes.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const portalMain = here('../../backend/dist/main.js');

/** 1,000 keys of 100 owners; runs with one hot key use the first. */
export const population = { owners: 100, keysPerOwner: 10 };

/** The compared servers, by their name in the table. */
export const contenders = {
  fastify: { title: "bare Fastify 'hello'", start: () => startPeer('fastify') },
  nest: { title: "bare Nest 'hello'", start: () => startPeer('nest') },
  durable: { title: 'portal, key and metering, durable', start: (db) => startPortal(db, 'durable') },
  buffered: { title: 'portal, the same, buffered', start: (db) => startPortal(db, 'buffered') },
  betterAuth: { title: "better-auth's key check", start: startBetterAuth },
};

async function startPeer(name, env = {}) {
  const port = await freePort();
  const child = startNode(cores.server, [here(`../servers/${name}.mjs`)], { ...env, PORT: String(port) });
  const { keys } = await firstMessage(child);
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}/`,
    keys: keys ?? unusedKeys,
    settle: async () => undefined,
    async stop() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** The bare servers ignore the key; sending one gives the load generator the same work for every server. */
const unusedKeys = Array.from(
  { length: population.owners * population.keysPerOwner },
  (_, i) => `oid_${String(i).padStart(40, '0')}`,
);

async function startBetterAuth(database) {
  const address = await database.create('better_auth');
  return startPeer('better-auth', {
    DATABASE: JSON.stringify(address),
    SECRET: randomBytes(32).toString('hex'),
    OWNERS: String(population.owners),
    KEYS_PER_OWNER: String(population.keysPerOwner),
  });
}

async function startPortal(database, durability) {
  const address = await database.create(`portal_${durability}`);
  const [port, secret] = [await freePort(), randomBytes(32).toString('hex')];
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  const child = startNode(cores.server, ['--max-semi-space-size=64', portalMain], {
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    PUBLIC_URL: 'https://portal.example.test',
    PORTAL_SECRET: secret,
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(address),
    RATE_LIMIT_PER_ADDRESS: '1000000',
    RATE_LIMIT_PER_KEY: '1000000',
    USAGE_DURABILITY: durability,
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the portal ended with code ${child.exitCode}`);
    await delay(100);
  }
  const counted = 'select coalesce(sum(seq), 0)::int as calls from';
  const stored = async () => (await ask(address, `${counted} usage_heads`))[0].calls;
  const batches = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(/^usage_batches_total (\d+)$/m.exec(text)[1]);
  };
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}/api/v1/key`,
    keys: await seedKeys(address, secret, population),
    stored,
    batches,
    /** Waits until the roll-ups include every stored call, so that the next server has the machine to itself. */
    async settle() {
      const folded = 'select coalesce(sum(owner_cells_seq), 0)::int as calls from usage_watermarks';
      while ((await ask(address, folded))[0].calls < (await stored())) await delay(100);
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill();
        await once(child, 'exit');
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
