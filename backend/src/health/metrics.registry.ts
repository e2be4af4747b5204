import { Injectable } from '@nestjs/common';

interface Metric {
  help: string;
  type: 'counter' | 'gauge';
  read: () => number;
}

/**
 * The figures of `/metrics`. Each part of the portal registers a function that reads its own, or a counter.
 */
@Injectable()
export class MetricsRegistry {
  private readonly metrics = new Map<string, Metric>();

  constructor() {
    this.register('process_resident_memory_bytes', 'gauge', 'Resident memory in bytes', () =>
      process.memoryUsage.rss(),
    );
    this.register('process_uptime_seconds', 'gauge', 'Seconds since the process started', () =>
      process.uptime(),
    );
  }

  register(name: string, type: Metric['type'], help: string, read: () => number): void {
    this.metrics.set(name, { help, type, read });
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
        ([name, { help, type, read }]) =>
          `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${read()}\n`,
      )
      .join('');
  }
}
