import { Injectable } from '@nestjs/common';
import { version } from '@orange-id/contract/version';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { jobFailures } from '../jobs/job.failures.js';

let ofProcess: Registry | null = null;

/** Memory, CPU, descriptors, event loop, garbage collection and failed jobs: of the process, however many portals run in it. */
function processMetrics(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
    ofProcess.registerMetric(jobFailures);
  }
  return ofProcess;
}

/** The figures of `/metrics`. Each part of the portal registers its own, with labels of few values only. */
@Injectable()
export class MetricsRegistry {
  private readonly own = new Registry();

  constructor() {
    const build = new Gauge({
      name: 'portal_build_info',
      help: 'Always 1; its label is the version',
      labelNames: ['version'],
      registers: [this.own],
    });
    build.set({ version }, 1);
    this.gauge('process_uptime_seconds', 'Seconds since the process started', () => process.uptime());
  }

  get contentType(): string {
    return this.own.contentType;
  }

  counter<L extends string = string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.own] });
  }

  /** A value that `read` returns when the metrics are read; null if it is unknown. */
  gauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
    new Gauge({
      name,
      help,
      registers: [this.own],
      async collect() {
        this.set((await read()) ?? NaN);
      },
    });
  }

  histogram<L extends string = string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: L[] = [],
  ): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.own] });
  }

  text(): Promise<string> {
    return Registry.merge([this.own, processMetrics()]).metrics();
  }
}
