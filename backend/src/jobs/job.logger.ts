import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { jobFailures } from './job.failures.js';

/**
 * Logs work in the background. Each line has `job`, the name of the work, and `jobId`, which all lines of one run share
 * and no other run or request has.
 */
export class JobLogger {
  private readonly logger: Logger;
  private jobId = newJobId();
  private beganAt = performance.now();

  constructor(
    context: string,
    private readonly job: string,
  ) {
    this.logger = new Logger(context);
    // An alert sees the first failure only if the series is there before it.
    jobFailures.inc({ name: job }, 0);
  }

  /** Call at the start of each run; a job's runs never overlap in one process. */
  begin(): void {
    this.jobId = newJobId();
    this.beganAt = performance.now();
  }

  log(message: string, more: LineFields = {}): void {
    this.logger.log(this.line(message, more));
  }

  warn(message: string, more: LineFields = {}): void {
    this.logger.warn(this.line(message, more));
  }

  error(message: string, more: LineFields = {}): void {
    this.logger.error(this.line(message, more));
  }

  /**
   * Counts the failure of a run and logs it: `what` with the error, its stack and the run's duration until then. A
   * failure that is repeated is only counted.
   */
  failed(what: string, error: unknown, { level = 'error', isRepeated = false }: FailureOptions = {}): void {
    jobFailures.inc({ name: this.job });
    if (isRepeated) return;
    const stack = error instanceof Error ? error.stack : undefined;
    const durationMs = Math.round((performance.now() - this.beganAt) * 10) / 10;
    this[level](`${what}: ${String(error)}`, { durationMs, stack });
  }

  private line(message: string, more: LineFields) {
    return { message, job: this.job, jobId: this.jobId, ...more };
  }
}

interface FailureOptions {
  level?: 'warn' | 'error';
  isRepeated?: boolean;
}

type LineFields = Record<string, string | number | undefined>;

const newJobId = (): string => randomBytes(8).toString('hex');
