import { Counter } from 'prom-client';

/** Failed runs of work in the background: of the process, however many portals run in it. */
export const jobFailures = new Counter({
  name: 'job_failures_total',
  help: 'Failed runs of work in the background; an unreachable database does not count',
  // Prometheus itself has a label `job`.
  labelNames: ['name'],
  registers: [],
});
