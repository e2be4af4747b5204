/* global window -- in functions that run in the page */

import { mkdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowser } from '../scripts/lib/browser.mjs';
import { build } from '../scripts/lib/parts.mjs';
import { startDatabase } from './lib/database.mjs';
import { signIn, watch } from './lib/page.watch.mjs';
import { signUp, startPortal } from './lib/portal.mjs';
import { keep } from './lib/report.mjs';

/**
 * Measures the time from the response to a call until its row is painted on the Usage page in Chromium, at a steady
 * rate of calls, and every task that blocks the page for more than 50 ms. The production build of the portal, its
 * PostgreSQL, Chromium and the caller share the machine.
 */
const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '15' },
    runs: { type: 'string', default: '3' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const [rate, seconds, warmUp, runs] = ['rate', 'seconds', 'warm-up', 'runs'].map((name) =>
  Number(options[name]),
);
const browserFlags = [
  'no-sandbox',
  'disable-gpu',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('@playwright/test');
/** Connections are used in turn, so that none is idle so long that the portal closes it just before its next use. */
const agent = new Agent({ keepAlive: true, maxSockets: 64, scheduling: 'fifo' });
/** Milliseconds since the epoch, finer than Date.now(). */
const now = () => performance.timeOrigin + performance.now();

await build('contract', 'backend', 'app', 'widget');
const results = [];
for (let run = 1; run <= runs; run++) {
  const result = await measure();
  results.push(result);
  tell(`run ${run}/${runs}`, result);
}
// A separate run, because tracing slows the page.
const traced = await measure({ isTraced: true });
tell('traced', traced);
const { tasks } = traced;
process.stdout.write(
  `tasks of the page by processor time: ${tasks.count} over 5 ms, p50 ${tasks.p50} ms, p95 ${tasks.p95} ms, most ` +
    `${tasks.most} ms; over 50 ms: ${tasks.over50}; the page used ${tasks.perSecond} ms a second\n`,
);
if (!options['dry-run']) {
  await mkdir(new URL('results/', import.meta.url), { recursive: true });
  await keep('latency', { rate, seconds, warmUp, runs: results, traced });
}

function tell(title, { answeredToSeen, sentToAnswered, longTasks, ...result }) {
  const { p50, p95, p99, most } = answeredToSeen;
  const long = longTasks.map(({ ms }) => ms).join(', ');
  process.stdout.write(
    `${title}: ${result.calls} calls, ${result.refused} refused, ${result.unseen} never seen; answered to seen p50 ` +
      `${p50} ms, p95 ${p95} ms, p99 ${p99} ms, most ${most} ms; sent to answered p95 ${sentToAnswered.p95} ms; machine ` +
      `${Math.round(result.machineBusy * 100)} % busy; tasks over 50 ms: ${longTasks.length}${long && ` (${long})`}\n`,
  );
}

async function measure({ isTraced = false } = {}) {
  const cleanUps = [];
  try {
    const database = await startDatabase();
    cleanUps.push(() => database.stop());
    const portal = await startPortal(database.address);
    cleanUps.push(() => portal.stop());
    const browser = await chromium.launch({
      executablePath: await findBrowser(),
      args: browserFlags.map((flag) => `--${flag}`),
    });
    cleanUps.push(() => browser.close());
    const { token, key } = await signUp(portal.url);
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await page.addInitScript(signIn, token);
    await page.addInitScript(watch);
    await page.goto(`${portal.url}/usage`);
    await call(portal.url, key, 'https://first.example.com');
    await page.locator('tr[data-seq]').first().waitFor();
    // Only visible rows are painted.
    await page.locator('#usage-tail-title').evaluate((title) => title.scrollIntoView({ block: 'start' }));

    await load(portal.url, key, { for: warmUp, names: 'w' });
    if (isTraced) await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
    const busy = machineBusy();
    const from = now();
    const calls = await load(portal.url, key, { for: seconds, names: 'm' });
    const until = now();
    // The rows of the last calls are still on their way.
    const last = calls.findLast(({ status }) => status === 200);
    await page.waitForFunction((origin) => origin in window.seen.rows, last.origin);
    const tasks = isTraced ? tasksOf(JSON.parse(String(await browser.stopTracing())).traceEvents) : undefined;
    const clock = await clockOffset(page);
    const seen = await page.evaluate(() => window.seen);

    const inTime = ({ at }) => at + clock.ms >= from && at + clock.ms <= until;
    const answered = calls.filter(({ status }) => status === 200);
    const shown = answered.filter(({ origin }) => origin in seen.rows);
    return {
      calls: calls.length,
      perSecond: Math.round((calls.length / (until - from)) * 10_000) / 10,
      refused: calls.length - answered.length,
      refusals: [...new Set(calls.map(({ status }) => status).filter((status) => status !== 200))],
      unseen: answered.length - shown.length,
      machineBusy: busy(),
      sentToAnswered: spread(answered.map(({ sentAt, answeredAt }) => answeredAt - sentAt)),
      answeredToSeen: spread(
        shown.map(({ origin, answeredAt }) => seen.rows[origin] + clock.ms - answeredAt),
      ),
      clock,
      ...(tasks === undefined ? {} : { tasks }),
      longTasks: seen.longTasks
        .filter(inTime)
        .map(({ at, ...task }) => ({ second: Math.round((at - from) / 1000), ...task })),
      longFrames: seen.longFrames
        .filter(inTime)
        .map(({ at, ...frame }) => ({ second: Math.round((at - from) / 1000), ...frame })),
    };
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

/**
 * The processor time of the tasks on the page's main thread. It excludes the time that a task waits for a core, so a
 * busy machine does not inflate it.
 */
function tasksOf(events) {
  const threadOf = ({ pid, tid }) => `${pid} ${tid}`;
  const layouts = events.filter(({ name }) => name === 'Layout').map(threadOf);
  const main = mostFrequent(layouts);
  const tasks = events.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && threadOf(event) === main,
  );
  const taken = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return {
    count: taken.filter((ms) => ms > 5).length,
    ...spread(taken.filter((ms) => ms > 5)),
    over50: taken.filter((ms) => ms > 50).length,
    perSecond: Math.round(taken.reduce((sum, ms) => sum + ms, 0) / seconds),
  };
}

function mostFrequent(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The offset of this clock from the page's: both are read together 50 times, and the quickest response counts. */
async function clockOffset(page) {
  let best = { ms: 0, uncertaintyMs: Infinity };
  for (let i = 0; i < 50; i++) {
    const before = now();
    const theirs = await page.evaluate(() => performance.timeOrigin + performance.now());
    const after = now();
    const uncertaintyMs = (after - before) / 2;
    if (uncertaintyMs < best.uncertaintyMs) best = { ms: (before + after) / 2 - theirs, uncertaintyMs };
  }
  return { ms: rounded(best.ms), uncertaintyMs: rounded(best.uncertaintyMs) };
}

/** One call; resolves when the whole response has arrived. The origin identifies its row. */
function call(url, key, origin) {
  const sentAt = now();
  return new Promise((resolve) => {
    request(`${url}/api/v1/key`, { agent, headers: { 'x-api-key': key, origin } }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ origin, sentAt, answeredAt: now(), status: answer.statusCode }));
    })
      .on('error', ({ code }) => resolve({ origin, sentAt, answeredAt: null, status: code }))
      .end();
  });
}

/** Calls at a steady rate, whether or not earlier calls are answered. */
async function load(url, key, { for: duration, names }) {
  const start = performance.now();
  const total = Math.round(duration * rate);
  const calls = [];
  while (calls.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * rate) + 1);
    while (calls.length < due) calls.push(call(url, key, `https://${names}${calls.length}.example.com`));
    await delay(1);
  }
  return Promise.all(calls);
}

/** Returns a function that gives the share (0 … 1) of all cores in use, by any process, since this call. */
function machineBusy() {
  const read = () =>
    cpus().reduce(
      (sum, { times }) => ({
        idle: sum.idle + times.idle,
        all: sum.all + Object.values(times).reduce((a, b) => a + b, 0),
      }),
      { idle: 0, all: 0 },
    );
  const before = read();
  return () => {
    const after = read();
    return Math.round((1 - (after.idle - before.idle) / (after.all - before.all)) * 100) / 100;
  };
}

function spread(values) {
  const sorted = values.sort((a, b) => a - b);
  const at = (share) => rounded(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}

function rounded(ms) {
  return Math.round(ms * 10) / 10;
}
