import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { contenders } from './lib/contenders.mjs';
import { startDatabase } from './lib/database.mjs';
import { canPin, cores, processorSeconds, startNode } from './lib/processes.mjs';
import { flushMs, keep, median } from './lib/report.mjs';

/**
 * Measures a call with an API key and compares it with other servers, in interleaved rounds of one run. Writes
 * `results/throughput.json` and `RESULTS.md`. Every server runs all the time, and only one is loaded at a time.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '1' },
    only: { type: 'string', default: Object.keys(contenders).join(',') },
    connections: { type: 'string', default: '1,4,64' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const numbers = (text) => text.split(',').map(Number);
const [rounds, seconds, warmUpSeconds] = [options.rounds, options.seconds, options['warm-up']].map(Number);
const names = options.only.split(',');
for (const name of names) {
  if (!contenders[name]) {
    throw new Error(`--only ${name}: is not measured here; known are ${Object.keys(contenders).join(', ')}`);
  }
}

const loadProgram = fileURLToPath(new URL('load.mjs', import.meta.url));
const cells = numbers(options.connections).flatMap((connections) =>
  [1, 1000].map((keys) => ({ connections, keys })),
);

const database = await startDatabase();
const running = {};
const samples = [];
const flushes = [];
try {
  for (const name of names) running[name] = await contenders[name].start(database);
  for (let round = 0; round < rounds; round++) {
    flushes.push(flushMs());
    for (const cell of cells) {
      // Each round starts with a different server, so that slow changes of the machine affect all of them equally.
      for (let i = 0; i < names.length; i++) {
        const name = names[(i + round) % names.length];
        const sample = { name, round, ...cell, ...(await measure(running[name], cell)) };
        samples.push(sample);
        const { perSecond, serverShare, loaderShare, serverMicroseconds, postgresMicroseconds } = sample;
        process.stdout.write(
          `round ${round + 1}/${rounds}  ${cell.connections} connections  ${cell.keys} keys  ${name}: ` +
            `${Math.round(perSecond)}/s, server ${percent(serverShare)} (${serverMicroseconds.toFixed(1)} µs a call), ` +
            `load generator ${percent(loaderShare)}, PostgreSQL ${postgresMicroseconds.toFixed(1)} µs a call` +
            (sample.callsPerCommit === null
              ? '\n'
              : `, ${sample.callsPerCommit.toFixed(1)} calls a commit\n`),
        );
      }
    }
  }
  const settings = {};
  for (const name of ['server_version', 'fsync', 'synchronous_commit']) {
    settings[name] = await database.settings(name);
  }
  const titles = Object.fromEntries(Object.entries(contenders).map(([name, { title }]) => [name, title]));
  const result = { settings, flushMs: median(flushes), canPin, rounds, seconds, titles, samples };
  if (!options['dry-run']) await keep('throughput', result);
} finally {
  for (const one of Object.values(running)) await one.stop();
  await database.stop();
}

/** Loads one server for a while and returns its calls per second and their cost. */
async function measure(target, { connections, keys }) {
  const argument = { url: target.url, keys: target.keys.slice(0, keys), connections, warmUpSeconds, seconds };
  const loader = startNode(cores.load, [loadProgram, JSON.stringify(argument)]);
  await phase(loader, 'warm');
  await target.settle();
  const storedBefore = await target.stored?.();
  const batchesBefore = await target.batches?.();
  const [server, postgres] = [processorSeconds(target.pid), processorSeconds(database.pid, true)];
  loader.send('go');
  const { answered, refused, seconds: took, p50, p99, loaderShare } = await phase(loader, 'done');
  const batches = (await target.batches?.()) - batchesBefore;
  const serverUsed = processorSeconds(target.pid) - server;
  await target.settle();
  if (refused > 0)
    throw new Error(`${refused} of ${answered} calls to ${target.url} were not answered with 200`);
  const stored = storedBefore === undefined ? null : (await target.stored()) - storedBefore;
  if (stored !== null && stored < answered) {
    throw new Error(`${answered} calls were answered and only ${stored} stored`);
  }
  return {
    perSecond: answered / took,
    p50,
    p99,
    callsPerCommit: stored === null ? null : answered / batches,
    serverShare: serverUsed / took,
    loaderShare,
    serverMicroseconds: (serverUsed / answered) * 1e6,
    // Includes the roll-ups that these calls cause.
    postgresMicroseconds: ((processorSeconds(database.pid, true) - postgres) / answered) * 1e6,
  };
}

function phase(child, wanted) {
  return new Promise((resolve, reject) => {
    const onMessage = (message) => {
      if (message.phase !== wanted) return;
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(message);
    };
    const onExit = (code) => reject(new Error(`the load generator ended with code ${code}`));
    child.on('message', onMessage).on('exit', onExit);
  });
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}
