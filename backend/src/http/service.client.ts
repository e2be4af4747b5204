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
import { PortalError } from './portal.error.js';

/** The service did not answer, or not with something a service says: no connection, 5xx, 408, a redirect, too much. */
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
 * One request to a configured address and nowhere else: a redirect is not followed, as a bearer or a key goes with it.
 * Throws `NoAnswer` when there is no connection, and when an answer of success breaks off or has more than `maxBytes`;
 * of any other answer the status counts, and only as much of its body as came.
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
  // Leaving the loop cancels what is still to come.
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

/** What an answer holds as JSON, however it is labelled; undefined when it is none. */
export function jsonOf({ bytes }: Pick<ServiceAnswer, 'bytes'>): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** No expression reads more of what a service says: a long answer must not hold up the event loop. */
const readMaxCharacters = 4000;

/**
 * What a service says to a refusal, as one line for a toast: without control characters, tokens and `secrets`, and at
 * most `maxCharacters` long.
 */
export function shownWords(said: string, maxCharacters: number, secrets: readonly string[] = []): string {
  // Secrets first and in the whole text: a cut in the middle of one would leave its first half.
  const safe = secrets.reduce((words, secret) => words.replaceAll(secret, '…'), said);
  return safe
    .slice(0, readMaxCharacters)
    .replace(/eyJ[\w.-]*/g, '…')
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters);
}

/** fetch says 'fetch failed' and hides why in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? 'unknown';
}

/** How a service differs from others. */
interface ServiceHabits {
  /** Left out: 1 MiB. */
  answerMaxBytes?: number;
  /** Whether an answer of 5xx says no to what was asked, and not that the service has failed. */
  saysNo?: (answer: ServiceAnswer) => boolean;
}

/** In milliseconds. */
export interface ServiceTimes {
  timeout: number;
  /** How long nothing is asked after `failuresInARow`. */
  pause: number;
}

const usualTimes: ServiceTimes = { timeout: limits.userRequestTimeoutMs, pause: 10_000 };
const failuresInARow = 5;
const askedAtOnce = 32;
const waitingMax = 200;
const usualAnswerMaxBytes = 1_048_576;

/**
 * A service that keeps a part of the product elsewhere: 10 s per request, no retry (what it changes it may have
 * changed), and a circuit breaker, so that a service that is down costs its callers nothing after the first.
 */
export class ServiceClient {
  private readonly logger: Logger;
  private readonly breaker: CircuitBreakerPolicy;
  private readonly bounds: IPolicy;

  /** `name` is for the log, as 'Profile service'; `unavailable` is what its callers are told when it is down, by `message`. */
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
    this.breaker = circuitBreaker(handleType(NoAnswer), {
      halfOpenAfter: pause,
      breaker: new ConsecutiveBreaker(failuresInARow),
    });
    this.breaker.onBreak((reason) =>
      this.logger.warn(
        `Requests to ${service.url} are paused: ${'error' in reason ? reason.error.message : ''}`,
      ),
    );
    this.breaker.onReset(() => this.logger.log(`${service.url} responds again`));
    this.bounds = wrap(bulkhead(askedAtOnce, waitingMax), timeout(timeoutMs, TimeoutStrategy.Aggressive));
  }

  /**
   * Sends one request to `path` below the service's address. Answers any status but 5xx, 408 and redirects, which,
   * like no answer within 10 s, throw `unavailable`: whether the service did what it was asked is then unknown.
   */
  async send(path: string, call: ServiceCall): Promise<ServiceAnswer> {
    try {
      // The breaker stands inside and is given no signal: who waits for its test call would share one with everybody.
      return await this.bounds.execute(
        ({ signal }) => this.breaker.execute(() => this.ask(path, call, signal)),
        new AbortController().signal,
      );
    } catch (error) {
      if (isUnavailable(error)) throw this.unavailable(error);
      throw error;
    }
  }

  /** For an answer that is none of this service's: `why` goes to the log, never what it answered. */
  nonsense(path: string, why: string): PortalError {
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
    const isOfRequest = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
    const isDone = answer.status >= 200 && answer.status < 300;
    if (!isDone && !isOfRequest && !saysNo?.(answer))
      throw new NoAnswer(`it returned status ${answer.status}`);
    return answer;
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof NoAnswer ||
  error instanceof TaskCancelledError ||
  error instanceof BrokenCircuitError ||
  error instanceof BulkheadRejectedError;
