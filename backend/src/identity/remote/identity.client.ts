import { Logger } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import {
  bulkhead,
  ConstantBackoff,
  handleType,
  retry,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import type { CircuitBreakerPolicy, IPolicy } from 'cockatiel';
import { PortalError } from '../../http/portal.error.js';
import {
  askService,
  isOfRequest,
  isUnavailable,
  jsonOf,
  NoAnswer,
  serviceBreaker,
} from '../../http/service.client.js';
import { remoteUser } from './remote-user.schema.js';
import type { RemoteUser } from './remote-user.schema.js';

/** In milliseconds. */
export interface IdentityTimes {
  timeout: number;
  retryDelay: number;
  /** How long no request is sent after five failures in a row. */
  pause: number;
}

const usualTimes: IdentityTimes = {
  timeout: limits.userRequestTimeoutMs,
  retryDelay: limits.userRequestRetryDelayMs,
  pause: 10_000,
};
/** More concurrent requests would only wait at the service instead of here. */
const askedAtOnce = 32;
const waitingMax = 500;
/** For unknown tokens, which may be made up: tokens that were valid before skip this queue. */
const newAskedAtOnce = 16;
const newWaitingMax = 250;
const answerMaxBytes = 65_536;

/** The service responds, but without a verdict on the token: this is no outage, and a retry would not help. */
class NoVerdict extends Error {
  override name = 'NoVerdict';
}

/**
 * The hosted identity service: 10 s per request, one retry after 1 s, and a circuit breaker, so that an outage costs
 * callers nothing after the first failures.
 */
export class IdentityClient {
  private readonly logger = new Logger('Identity service');
  private readonly breaker: CircuitBreakerPolicy;
  private readonly attempts: IPolicy;
  private readonly newcomers = bulkhead(newAskedAtOnce, newWaitingMax);
  /** Limits a whole call, including the wait for a slot, to the longest time that a request and its retry may take. */
  private readonly timeLimit: IPolicy;
  private readonly warnedOf = new Set<number>();

  constructor(
    private readonly service: { url: string; subscriptionKey: string },
    times: Partial<IdentityTimes> = {},
  ) {
    const { timeout: timeoutMs, retryDelay, pause } = { ...usualTimes, ...times };
    this.breaker = serviceBreaker(service.url, pause, this.logger);
    this.timeLimit = timeout(2 * timeoutMs + retryDelay, TimeoutStrategy.Aggressive);
    this.attempts = wrap(
      bulkhead(askedAtOnce, waitingMax),
      retry(handleType(NoAnswer).orType(TaskCancelledError), {
        maxAttempts: 1,
        backoff: new ConstantBackoff(retryDelay),
      }),
      timeout(timeoutMs, TimeoutStrategy.Aggressive),
    );
  }

  /**
   * The user of this token; null if the service refuses it. Throws `identity.unavailable` if it gives no verdict.
   * Tokens that were never valid (`isNew`) get at most half of the slots.
   */
  async readUser(token: string, { isNew = false } = {}): Promise<RemoteUser | null> {
    try {
      return await this.timeLimit.execute(({ signal }) =>
        isNew
          ? this.newcomers.execute(() => this.attempt(token, signal), signal)
          : this.attempt(token, signal),
      );
    } catch (error) {
      if (isUnavailable(error) || error instanceof NoVerdict)
        throw new PortalError('identity.unavailable', { cause: error });
      throw error;
    }
  }

  private attempt(token: string, given: AbortSignal): Promise<RemoteUser | null> {
    // The breaker is inside and gets no signal: otherwise callers that wait for its test call would share one abort.
    return this.attempts.execute(({ signal }) => this.breaker.execute(() => this.ask(token, signal)), given);
  }

  private async ask(token: string, signal: AbortSignal): Promise<RemoteUser | null> {
    const answer = await askService(
      `${this.service.url}/api/v1/auth/user`,
      {
        method: 'GET',
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          'Ocp-Apim-Subscription-Key': this.service.subscriptionKey,
        },
      },
      { signal, maxBytes: answerMaxBytes },
    );
    const { status } = answer;
    if (refusals.includes(status)) return null;
    if (status < 200 || status >= 300) {
      if (!isOfRequest(status)) throw new NoAnswer(`it returned status ${status}`);
      this.warnOnce(status);
      throw new NoVerdict(`it returned status ${status}`);
    }
    const user = remoteUser.safeParse(jsonOf(answer));
    if (!user.success) throw new NoAnswer('its response isn’t a user');
    return user.data;
  }

  /** Logs each status once, because any token may cause it; a wrong `IDENTITY_URL` may be the reason. */
  private warnOnce(status: number): void {
    if (this.warnedOf.has(status)) return;
    this.warnedOf.add(status);
    this.logger.warn(`${this.service.url} returned status ${status} for a token. Check IDENTITY_URL`);
  }
}

/** The service has checked the token and refuses it. */
const refusals = [400, 401, 403, 422];
