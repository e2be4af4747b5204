import { Logger } from '@nestjs/common';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import { limits } from '@orange-id/contract/limits';
import {
  BrokenCircuitError,
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  ConsecutiveBreaker,
  handleType,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import type { CircuitBreakerPolicy, IPolicy } from 'cockatiel';
import { OutgoingLimiter } from './outgoing.limiter.js';
import { PortalError } from './portal.error.js';

/**
 * The service did not respond, or not with a valid response: no connection, 5xx, 408, a redirect, an oversized body.
 */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

export interface ServiceCall {
  method: string;
  headers: Record<string, string>;
  body?: string | FormData | Uint8Array<ArrayBuffer>;
}

export interface ServiceAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/**
 * One request to a configured address and nowhere else: redirects are not followed, because the request carries a
 * bearer token or a key. Throws `NoAnswer` if there is no connection, and if a successful response is truncated or has
 * more than `maxBytes`; for other responses the status counts, with as much of the body as arrived.
 */
export async function askService(
  url: string,
  call: ServiceCall,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<ServiceAnswer> {
  const response = await orNoAnswer(fetch(url, { ...call, redirect: 'manual', signal }));
  const { status, headers, ok } = response;
  const chunks: Uint8Array[] = [];
  const bytes = read(response, maxBytes, chunks);
  await (ok ? orNoAnswer(bytes) : bytes.catch(() => undefined));
  return { status, headers, bytes: Buffer.concat(chunks) };
}

async function read(response: Response, maxBytes: number, chunks: Uint8Array[]): Promise<void> {
  let size = 0;
  // Leaving the loop cancels the rest of the transfer.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new NoAnswer(`its response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
}

async function orNoAnswer<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (cause) {
    if (cause instanceof NoAnswer) throw cause;
    throw new NoAnswer(`it cannot be reached: ${reasonOf(cause)}`, { cause });
  }
}

/** The body parsed as JSON, whatever its content type; undefined if it is not JSON. */
export function jsonOf({ bytes }: Pick<ServiceAnswer, 'bytes'>): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** No regular expression processes more of a service's text: a long response must not block the event loop. */
const readMaxCharacters = 4000;

/**
 * The message of a service's refusal as one line for a toast: without control characters, tokens and `secrets`, and at
 * most `maxCharacters` long.
 */
export function shownText(said: string, maxCharacters: number, secrets: readonly string[] = []): string {
  // Removes secrets first and from the whole text: a cut in the middle of one would leave its first half.
  const safe = secrets.reduce((words, secret) => words.replaceAll(secret, '…'), said);
  return safe
    .slice(0, readMaxCharacters)
    .replace(/eyJ[\w.-]*/g, '…')
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters);
}

/** fetch throws 'fetch failed' and hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? 'unknown';
}

/** The settings in which services differ. */
interface ServiceHabits {
  /** Defaults to 1 MiB. */
  answerMaxBytes?: number;
  /** Whether a 5xx response is a refusal of the request and not a failure of the service. */
  saysNo?: (answer: ServiceAnswer) => boolean;
}

/** In milliseconds. */
export interface ServiceTimes {
  timeout: number;
  /** How long no request is sent after `failuresInARow`. */
  pause: number;
}

const usualTimes: ServiceTimes = { timeout: limits.userRequestTimeoutMs, pause: 10_000 };
const failuresInARow = 5;
const askedAtOnce = 32;
const waitingMax = 200;
const usualAnswerMaxBytes = 1_048_576;

/**
 * A service that hosts a part of the product: 10 s per request, no retry (the service may have processed a failed
 * request), and a circuit breaker, so that an outage costs callers nothing after the first failures.
 */
export class ServiceClient {
  private readonly logger: Logger;
  private readonly breaker: CircuitBreakerPolicy;
  private readonly bounds: IPolicy;
  private readonly limiter: OutgoingLimiter;

  /** `name` is for the log, as 'Profile service'; callers get `unavailable` with `message` during an outage. */
  constructor(
    private readonly service: {
      name: string;
      url: string;
      unavailable: ErrorCode;
      message?: string;
    } & ServiceHabits,
    times: Partial<ServiceTimes> = {},
  ) {
    const { timeout: timeoutMs, pause } = { ...usualTimes, ...times };
    this.logger = new Logger(service.name);
    this.breaker = serviceBreaker(service.url, pause, this.logger);
    this.limiter = new OutgoingLimiter(`the ${service.name.toLowerCase()}`, {
      atOncePerOwner: limits.serviceCallsAtOncePerOwner,
      atOnce: askedAtOnce + waitingMax,
    });
    this.bounds = wrap(bulkhead(askedAtOnce, waitingMax), timeout(timeoutMs, TimeoutStrategy.Aggressive));
  }

  /** Runs work that sends requests for `owner`; throws `service.tooManyCalls` if too much waits already. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    return this.limiter.run(owner, work);
  }

  /**
   * Sends one request to `path` below the service's address. Returns a response of any status except 5xx, 408 and
   * redirects. Those, and a time-out after 10 s, throw `unavailable`: whether the service processed the request is then
   * unknown.
   */
  async send(path: string, call: ServiceCall): Promise<ServiceAnswer> {
    try {
      // The breaker is inside and gets no signal: otherwise callers that wait for its test call would share one abort.
      return await this.bounds.execute(
        ({ signal }) => this.breaker.execute(() => this.ask(path, call, signal)),
        new AbortController().signal,
      );
    } catch (error) {
      if (isUnavailable(error)) throw this.unavailable(error);
      throw error;
    }
  }

  /** For a response that is not valid for this service: logs `why`, never the response. */
  invalidAnswer(path: string, why: string): PortalError {
    this.logger.warn(`${this.service.url}${path} ${why}`);
    return this.unavailable(new NoAnswer(why));
  }

  private unavailable(cause: unknown): PortalError {
    const { unavailable, message } = this.service;
    return new PortalError(unavailable, { cause, ...(message === undefined ? {} : { message }) });
  }

  private async ask(path: string, call: ServiceCall, signal: AbortSignal): Promise<ServiceAnswer> {
    const { answerMaxBytes = usualAnswerMaxBytes, saysNo } = this.service;
    const answer = await askService(`${this.service.url}${path}`, call, { signal, maxBytes: answerMaxBytes });
    const isDone = answer.status >= 200 && answer.status < 300;
    if (!isDone && !isOfRequest(answer.status) && !saysNo?.(answer))
      throw new NoAnswer(`it returned status ${answer.status}`);
    return answer;
  }
}

/** Sends no request for `pause` ms after five failures in a row, and logs the pause and its end. */
export function serviceBreaker(url: string, pause: number, logger: Logger): CircuitBreakerPolicy {
  const breaker = circuitBreaker(handleType(NoAnswer), {
    halfOpenAfter: pause,
    breaker: new ConsecutiveBreaker(failuresInARow),
  });
  breaker.onBreak((reason) =>
    logger.warn(`Requests to ${url} are paused: ${'error' in reason ? reason.error.message : ''}`),
  );
  breaker.onReset(() => logger.log(`${url} responds again`));
  return breaker;
}

/** The request is at fault, not the service (RFC 9110 §15.5); 408 means that the request did not arrive completely. */
export const isOfRequest = (status: number): boolean => status >= 400 && status < 500 && status !== 408;

/** Whether a request got no valid response, or was not sent because of earlier ones. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof NoAnswer ||
  error instanceof TaskCancelledError ||
  error instanceof BrokenCircuitError ||
  error instanceof BulkheadRejectedError;
