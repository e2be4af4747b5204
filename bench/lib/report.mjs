import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

/** The machine of a measurement. */
export const machine = () => ({
  processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  system: `${process.platform} ${release()}`,
  node: process.version,
});

/** Median time in ms for flushing 8 kB to the disk, which a commit waits for. */
export function flushMs(times = 200) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const file = openSync(join(folder, 'flush'), 'w');
  const page = Buffer.alloc(8192, 1);
  writeSync(file, Buffer.alloc(8192 * times));
  fdatasyncSync(file);
  const took = [];
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    writeSync(file, page, 0, page.length, i * page.length);
    fdatasyncSync(file);
    took.push(performance.now() - started);
  }
  closeSync(file);
  rmSync(folder, { recursive: true });
  return median(took);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2;
}

const results = (name) => new URL(`../results/${name}.json`, import.meta.url);

/** Stores the result of one program and rewrites `RESULTS.md` from all stored results. */
export async function keep(name, result) {
  await writeFile(
    results(name),
    `${JSON.stringify({ at: new Date().toISOString(), machine: machine(), ...result }, null, 1)}\n`,
  );
  await writeReport();
}

/** Writes `RESULTS.md` from the stored results. */
export async function writeReport() {
  const parts = [];
  for (const [name, section] of Object.entries(sections)) {
    const text = await readFile(results(name), 'utf8').catch(() => null);
    if (text !== null) parts.push(section(JSON.parse(text)));
  }
  const head = '# Results\n\nWritten by the programs of this folder; see [README.md](README.md).\n';
  await writeFile(new URL('../RESULTS.md', import.meta.url), `${head}\n${parts.join('\n')}`);
}

const sections = {
  throughput,
  latency,
  page: (result) => visit(result, 'the landing page'),
  docs: (result) => visit(result, 'the documentation'),
  guide: (result) => visit(result, 'the games guide'),
  widget,
  durability,
  volume,
  clickhouse,
};

const where = ({ at, machine: { processors, memory, system, node } }) =>
  `${at.slice(0, 10)}, ${processors}, ${memory}, ${system}, Node ${node}.`;

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')}\n`;
}

const number = (value) => Math.round(value).toLocaleString('en-US');

function throughput(result) {
  const { samples, titles, seconds, rounds, settings, canPin } = result;
  const of = (name, connections, keys) =>
    samples.filter((one) => one.name === name && one.connections === connections && one.keys === keys);
  const mid = (group, field) => median(group.map((one) => one[field]));
  // Ratios are taken within a round, where both servers ran within a minute of each other.
  const ratio = (name, base, connections, keys) => {
    const [ours, theirs] = [of(name, connections, keys), of(base, connections, keys)];
    const ratios = ours.flatMap(({ round, perSecond }) => {
      const other = theirs.find((one) => one.round === round);
      return other ? [perSecond / other.perSecond] : [];
    });
    return ratios.length > 0 ? `${median(ratios).toFixed(2)} (${spanOf(ratios)})` : '–';
  };
  const names = Object.keys(titles).filter((name) => samples.some((one) => one.name === name));
  const unique = (field) => [...new Set(samples.map((one) => one[field]))];

  const blocks = unique('connections').flatMap((connections) =>
    unique('keys').map((keys) => {
      const rows = names.map((name) => {
        const group = of(name, connections, keys);
        const server = mid(group, 'serverMicroseconds');
        const commit = group[0].callsPerCommit === null ? '–' : mid(group, 'callsPerCommit').toFixed(1);
        return [
          titles[name],
          number(mid(group, 'perSecond')),
          ratio(name, 'fastify', connections, keys),
          server.toFixed(1),
          (mid(of('fastify', connections, keys), 'serverMicroseconds') / server).toFixed(2),
          mid(group, 'postgresMicroseconds').toFixed(1),
          `${Math.round(mid(group, 'serverShare') * 100)} %`,
          `${Math.round(mid(group, 'loaderShare') * 100)} %`,
          commit,
        ];
      });
      const head = [
        '',
        'calls/s',
        '÷ Fastify (range)',
        'server µs',
        'Fastify µs ÷',
        'PostgreSQL µs',
        'server busy',
        'loader busy',
        'calls a commit',
      ];
      const plural = connections === 1 ? '' : 's';
      const others = [
        `durable ÷ buffered ${ratio('durable', 'buffered', connections, keys)}`,
        `durable ÷ better-auth ${ratio('durable', 'betterAuth', connections, keys)}`,
      ];
      const title = `${connections} connection${plural}, ${keys === 1 ? 'one hot key' : `${number(keys)} keys of 100 owners`}`;
      return `### ${title}\n\n${table(head, rows)}\n${others.join('; ')}\n`;
    }),
  );
  const pinning = canPin
    ? 'Servers are bound to the first core and the load generator to the second; PostgreSQL goes where the scheduler puts it.'
    : 'Processes could not be bound to cores here.';
  return `## A call with an API key\n
${where(result)} PostgreSQL ${settings.server_version}, fsync ${settings.fsync}, synchronous_commit ${settings.synchronous_commit}; the disk flushes 8 kB in ${result.flushMs.toFixed(2)} ms (median). ${rounds} rounds of ${seconds} s for each cell, interleaved; medians. Ratios are taken within a round, with the smallest and largest beside them. ${pinning} Processor time is per call: the server's, and PostgreSQL's with the roll-ups these calls caused. A load generator or a server near 100 % is what bounds that row.\n
${blocks.join('\n')}`;
}

const spanOf = (ratios) => `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;

function latency(result) {
  const rows = [...result.runs, result.traced].map((run, i) => {
    const { calls, unseen, refused, answeredToSeen, sentToAnswered, longTasks, machineBusy } = run;
    return [
      run === result.traced ? 'traced' : String(i + 1),
      number(calls),
      number(unseen + refused),
      `${answeredToSeen.p50}`,
      `${answeredToSeen.p95}`,
      `${answeredToSeen.p99}`,
      `${sentToAnswered.p95}`,
      `${Math.round(machineBusy * 100)} %`,
      longTasks.length === 0
        ? '0'
        : `${longTasks.length} (longest ${Math.max(...longTasks.map(({ ms }) => ms))} ms)`,
    ];
  });
  const head = [
    'run',
    'calls',
    'refused or never seen',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'sent to answered, p95 ms',
    'machine busy',
    'tasks over 50 ms',
  ];
  const { count, p50, p95, most, over50, perSecond } = result.traced.tasks;
  return `## Latency to the eye: a call is answered, its row is painted\n
${where(result)} ${result.rate} calls a second for ${result.seconds} s, after ${result.warmUp} s of warm-up; portal, PostgreSQL, Chromium and the caller on the same cores.\n
${table(head, rows)}
Tasks are timed by the clock, so they last longer when other work has the processor. By processor time, from Chromium's trace of the last run: ${number(count)} tasks over 5 ms, p50 ${p50} ms, p95 ${p95} ms, longest ${most} ms, ${over50} over 50 ms; the page used ${perSecond} ms a second.\n`;
}

function visit(result, page) {
  const rows = result.runs.map(({ scores, scriptBytes, ...one }, i) => [
    String(i + 1),
    ...Object.values(scores).map(String),
    ...['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map((id) =>
      number(one[id]),
    ),
    one['cumulative-layout-shift'].toFixed(3),
    (scriptBytes / 1000).toFixed(0),
  ]);
  const head = [
    'run',
    'performance',
    'accessibility',
    'best practices',
    'SEO',
    'first paint ms',
    'largest paint ms',
    'blocked ms',
    'layout shift',
    'scripts kB',
  ];
  const middle = median(result.runs.map(({ scores }) => scores.performance));
  return `## A first visit to ${page}\n
${where(result)} Lighthouse, mobile preset (a slow phone and network, by calculation), on the portal as built for production; Chromium and the portal on the same cores. Performance, median: ${middle}. Scripts as they came over the wire.\n
${table(head, rows)}`;
}

function widget(result) {
  const titles = {
    plain: 'small page',
    'plain-widget': 'with the script tag’s panel',
    react: 'small React app',
    'react-widget': 'with the package’s panel',
  };
  const middle = (name, of) => median(result.runs[name].map(of));
  const rows = Object.entries(titles).map(([name, title]) => [
    title,
    result.runs[name].map(({ scores }) => scores.performance).join(', '),
    String(middle(name, ({ scores }) => scores.performance)),
    ...['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map((id) =>
      number(middle(name, (run) => run[id])),
    ),
    middle(name, (run) => run['cumulative-layout-shift']).toFixed(3),
    (middle(name, ({ scriptBytes }) => scriptBytes) / 1000).toFixed(0),
  ]);
  const columns = ['first paint ms', 'largest paint ms', 'blocked ms', 'layout shift', 'scripts kB'];
  return `## What the login widget costs a page\n
${where(result)} Lighthouse, mobile preset, ${result.runs.plain.length} visits to each page, taking turns; medians. Another site embeds the panel; it, Chromium and the portal share the cores. The pages reserve 360 px for the panel.\n
${table(['page', 'performance of each visit', 'median', ...columns], rows)}`;
}

function durability(result) {
  const rows = Object.entries(result.rounds).map(([fault, list]) => {
    const last = list.at(-1);
    const waits = list.flatMap(({ servedAgainMs }) => servedAgainMs ?? []);
    const slowest = waits.length > 0 ? `${(Math.max(...waits) / 1000).toFixed(1)} s` : '';
    return [
      fault,
      String(list.length),
      number(last.sent),
      number(last.answered),
      number(last.stored),
      slowest,
    ];
  });
  return `## Durability under 64 callers\n
${where(result)} After every round: answered ⊆ stored ⊆ sent, nothing twice, each owner's sequence without a gap. Figures are the sums over all rounds; a call sent to a portal or a database that was away counts as sent. 'Served again' counts from the moment there was room on the disk.\n
${table(['fault', 'times', 'calls sent', 'answered', 'stored', 'served again within'], rows)}`;
}

function volume(result) {
  const sizes = ({ rows, rollups, packed }) => [rows, rollups, packed].map((bytes) => bytes.toFixed(1));
  const cases = Object.entries(result.cases);
  const [first] = cases.map(([, { questions }]) => questions);
  return `## Usage at volume

${where(result)} ${number(result.rows)} calls of one owner in ${result.days} days, with ${cases.map(([name]) => name).join(' and with ')}. A question is asked over HTTP ${result.times} times after one to warm up: median ms, and in brackets how many times as long PostgreSQL takes for the same from the rows alone. Bytes are measured right after folding, before PostgreSQL has vacuumed. The machine does other work meanwhile: load ${result.load.map((load) => load.toFixed(1)).join(' to ')}.

${table(
  ['question', ...cases.map(([name]) => name)],
  Object.keys(first).map((question) => [
    question,
    ...cases.map(([, { questions }]) => {
      const { ms, rowsMs } = questions[question];
      return `${number(Math.round(ms))} (${(rowsMs / ms).toFixed(0)} ×)`;
    }),
  ]),
)}

${table(
  ['measured', ...cases.map(([name]) => name)],
  [
    ['rows, bytes a call', ...cases.map(([, measured]) => sizes(measured.bytes)[0])],
    ['roll-ups, bytes a call', ...cases.map(([, measured]) => sizes(measured.bytes)[1])],
    ['roll-ups after `vacuum full`', ...cases.map(([, measured]) => sizes(measured.bytes)[2])],
    ['rows folded a second', ...cases.map(([, { fold }]) => number(Math.round(fold.hot)))],
    ['late rows folded a second', ...cases.map(([, { fold }]) => number(Math.round(fold.late)))],
  ],
)}`;
}

function clickhouse(result) {
  const last = result.killed.at(-1);
  return `## ClickHouse

${where(result)} Each of ${number(last.stored)} stored calls was in ClickHouse exactly once after ${result.killed.length - 1} kills of the portal that ships and of ClickHouse, and a restart of both portals; ${last.uncertain} kills came during an insert.

${table(
  ['measured', ''],
  Object.entries(result.figures).map(([name, value]) => [
    name,
    typeof value === 'number' ? number(value) : value,
  ]),
)}`;
}
