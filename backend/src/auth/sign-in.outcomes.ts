import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Counter } from 'prom-client';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { asPortalError } from '../http/error.filter.js';

/** Counts attempts to sign in, by method and by `ok` or the code of the error, and logs those that fail: never who. */
@Injectable()
export class SignInOutcomes {
  private readonly logger = new Logger('Sign-in');
  private readonly counter: Counter<'method' | 'outcome'>;

  constructor(metrics: MetricsRegistry) {
    this.counter = metrics.counter('sign_ins_total', 'Attempts to sign in, by method and outcome', [
      'method',
      'outcome',
    ]);
    for (const method of ['email', 'wallet', 'google', 'apple'])
      this.counter.inc({ method, outcome: 'ok' }, 0);
  }

  /** Runs one attempt and returns or throws what it does. */
  async of<T>(
    method: string,
    { id: requestId }: Pick<FastifyRequest, 'id'>,
    attempt: () => Promise<T>,
  ): Promise<T> {
    try {
      const result = await attempt();
      this.counter.inc({ method, outcome: 'ok' });
      return result;
    } catch (error) {
      const { code } = asPortalError(error);
      this.counter.inc({ method, outcome: code });
      // A client over its limit would fill the log.
      if (code !== 'request.rateLimited') {
        this.logger.log({ message: `A sign-in failed: ${code}`, method, code, requestId });
      }
      throw error;
    }
  }
}
