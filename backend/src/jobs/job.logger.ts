import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';

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

  /** The failure of a run: `what` with the error, its stack and the run's duration until then. */
  failed(what: string, error: unknown, level: 'warn' | 'error' = 'error'): void {
    const stack = error instanceof Error ? error.stack : undefined;
    const durationMs = Math.round((performance.now() - this.beganAt) * 10) / 10;
    this[level](`${what}: ${String(error)}`, { durationMs, stack });
  }

  private line(message: string, more: LineFields) {
    return { message, job: this.job, jobId: this.jobId, ...more };
  }
}

type LineFields = Record<string, string | number | undefined>;

const newJobId = (): string => randomBytes(8).toString('hex');
