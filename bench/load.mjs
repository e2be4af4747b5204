import autocannon from 'autocannon';

/**
 * The load generator, a separate process: sends as many requests as it can for some seconds and reports the result to
 * its parent over IPC. Started with one argument, `{ url, keys, connections, warmUpSeconds, seconds }`.
 */
const { url, keys, connections, warmUpSeconds, seconds } = JSON.parse(process.argv[2]);

const requests = keys.map((key) => ({ headers: { 'x-api-key': key } }));
let client = 0;
// Each connection starts at a different place in the list, so that 64 callers do not all use the same key at once.
const setupClient = (connection) => {
  const from = Math.floor((client++ * requests.length) / connections) % requests.length;
  connection.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
};
const fire = (duration) => autocannon({ url, connections, duration, setupClient });

await fire(warmUpSeconds);
process.send({ phase: 'warm' });
await new Promise((resolve) => process.once('message', resolve));
const before = process.cpuUsage();
const started = performance.now();
const result = await fire(seconds);
const elapsed = performance.now() - started;
const used = process.cpuUsage(before);
process.send({
  phase: 'done',
  answered: result.requests.total,
  refused: result.non2xx + result.errors + result.timeouts,
  seconds: result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  loaderShare: (used.user + used.system) / 1000 / elapsed,
});
process.disconnect();
