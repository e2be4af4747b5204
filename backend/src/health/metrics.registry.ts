import { Injectable } from '@nestjs/common';
import { version } from '@orange-id/contract/version';

interface Metric {
  help: string;
  type: 'counter' | 'gauge';
  read: () => number;
  labels: string;
}

/**
 * The figures of `/metrics`. Each part of the portal registers a function that reads its own, or a counter.
 */
@Injectable()
export class MetricsRegistry {
  private readonly metrics = new Map<string, Metric>();

  constructor() {
    this.register(
      'portal_build_info',
      'gauge',
      'Always 1; its label is the version',
      () => 1,
      `{version="${version}"}`,
    );
    this.register('process_resident_memory_bytes', 'gauge', 'Resident memory in bytes', () =>
      process.memoryUsage.rss(),
    );
    this.register('process_uptime_seconds', 'gauge', 'Seconds since the process started', () =>
      process.uptime(),
    );
  }

  register(name: string, type: Metric['type'], help: string, read: () => number, labels = ''): void {
    this.metrics.set(name, { help, type, read, labels });
  }

  /** Registers a counter, and returns it to be counted up. */
  counter(name: string, help: string): { count: number } {
    const counter = { count: 0 };
    this.register(name, 'counter', help, () => counter.count);
    return counter;
  }

  text(): string {
    return [...this.metrics]
      .map(
        ([name, { help, type, read, labels }]) =>
          `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name}${labels} ${read()}\n`,
      )
      .join('');
  }
}
