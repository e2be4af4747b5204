import type { ErrorCode } from '@orange-id/contract/error.codes';
import type { ZodType } from 'zod';
import { answerTimeoutMs, NoAnswerError } from './no.answer';
import { readAccessToken } from './token.storage';

/** A response outside 2xx. The message is `{status}: {body text, or status text}`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  /** The backend's error code, if the body contains one. */
  readonly code: ErrorCode | undefined;
  /** The `message` of the error JSON, if there is one. */
  readonly serverMessage: string | undefined;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(
    readonly status: number,
    readonly body: string,
    readonly statusText = '',
    /** `Retry-After` in seconds; `undefined` if it is missing or a date. */
    readonly retryAfterSeconds?: number,
  ) {
    super(`${status}: ${body || statusText}`);
    const { code, message, requestId } = readJsonObject(body);
    this.code = typeof code === 'string' ? (code as ErrorCode) : undefined;
    this.serverMessage = typeof message === 'string' ? message : undefined;
    this.requestId = typeof requestId === 'string' ? requestId : undefined;
  }
}

function readJsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export interface HttpRequest<T> {
  /** A path of this origin, or a full URL. */
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON, except FormData, which is sent unchanged. */
  body?: unknown;
  /** The bearer token; by default the stored access token, none if `null`. */
  token?: string | null;
  headers?: Record<string, string>;
  /** `include` by default. */
  credentials?: RequestCredentials;
  schema?: ZodType<T>;
  signal?: AbortSignal;
  /** How long the whole response may take, in ms; 30 s by default. */
  timeoutMs?: number;
}

/**
 * Sends one request, with a JSON content type only if there is a body, and a bearer token if one is stored. Returns
 * parsed JSON (validated with `schema` if given), text for other content types, `undefined` for an empty body. Throws
 * `HttpError` for a response outside 2xx, `TypeError` for a network failure, `NoAnswerError` for a response that takes
 * too long, `Error` for an unexpected shape, whose details it logs to the console.
 */
export async function http<T>(request: HttpRequest<T>): Promise<T> {
  const { path, method = 'GET', body, token = readAccessToken(), schema, signal, credentials } = request;
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = { ...request.headers };
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = `Bearer ${token}`;

  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new NoAnswerError({ isChange: method !== 'GET' }));
  }, request.timeoutMs ?? answerTimeoutMs);
  const { response, text } = await receive(path, {
    method,
    headers,
    credentials: credentials ?? 'include',
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal,
  }).finally(() => clearTimeout(timer));
  if (!response.ok) {
    const wait = Number(response.headers.get('retry-after') || NaN);
    throw new HttpError(response.status, text, response.statusText, Number.isFinite(wait) ? wait : undefined);
  }

  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const unexpected = (detail: string) => {
    console.error(`${method} ${path} returned an unexpected response: ${detail}`);
    return new Error('The server sent an unexpected response. Reload the page and try again.');
  };
  let answer: unknown = text === '' ? undefined : text;
  if (isJson && text !== '') {
    try {
      answer = JSON.parse(text);
    } catch (error) {
      throw unexpected((error as SyntaxError).message);
    }
  }
  if (!schema) return answer as T;
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  throw unexpected(`${first?.path.join('.')} ${first?.message}`);
}

async function receive(path: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  const response = await fetch(path, init);
  return { response, text: await response.text() };
}
