import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { asPortalError } from '../http/error.filter.js';

/** Counts attempts to sign in, by method and by `ok` or the code of the error. */
@Injectable()
export class SignInOutcomes {
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
  async of<T>(method: string, attempt: () => Promise<T>): Promise<T> {
    try {
      const result = await attempt();
      this.counter.inc({ method, outcome: 'ok' });
      return result;
    } catch (error) {
      this.counter.inc({ method, outcome: asPortalError(error).code });
      throw error;
    }
  }
}
