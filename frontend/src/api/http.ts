import type { ErrorCode } from '@orange-id/contract/error.codes';
import type { ZodType } from 'zod';
import { readAccessToken } from './token.storage';

/** Any answer outside 2xx. The message is `{status}: {body text, or status text}`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  /** The backend's error code, where the body carries one. */
  readonly code: ErrorCode | undefined;
  /** The sentence inside the error JSON, where there is one. */
  readonly serverMessage: string | undefined;

  constructor(
    readonly status: number,
    readonly body: string,
    readonly statusText = '',
    /** `Retry-After` in seconds, where the answer names it so. */
    readonly retryAfterSeconds?: number,
  ) {
    super(`${status}: ${body || statusText}`);
    const { code, message } = readJsonObject(body);
    this.code = typeof code === 'string' ? (code as ErrorCode) : undefined;
    this.serverMessage = typeof message === 'string' ? message : undefined;
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
  /** A path of this origin, or a whole address. */
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON, except FormData, which goes as it is. */
  body?: unknown;
  /** The bearer; the stored access token when left out, none when `null`. */
  token?: string | null;
  headers?: Record<string, string>;
  /** Cookies go along by default; calls to a service on another origin may say otherwise. */
  credentials?: RequestCredentials;
  schema?: ZodType<T>;
  signal?: AbortSignal;
}

/**
 * One request: cookies included, JSON content type only with a body, bearer when a token is found.
 * Answers parsed JSON (checked against `schema` when given), text for other content types, `undefined` for no body.
 * Throws `HttpError` for an answer outside 2xx, `TypeError` when the network fails, `Error` for an unexpected shape.
 */
export async function http<T>(request: HttpRequest<T>): Promise<T> {
  const { path, method = 'GET', body, token = readAccessToken(), schema, signal, credentials } = request;
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = { ...request.headers };
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = `Bearer ${token}`;

  const response = await fetch(path, {
    method,
    headers,
    credentials: credentials ?? 'include',
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  if (!response.ok) {
    const wait = Number(response.headers.get('retry-after') || NaN);
    throw new HttpError(response.status, text, response.statusText, Number.isFinite(wait) ? wait : undefined);
  }

  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const answer: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text;
  if (!schema) return answer as T;
  const parsed = schema.safeParse(answer);
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    throw new Error(
      `${method} ${path} returned an unexpected response: ${first?.path.join('.')} ${first?.message}`,
    );
  }
  return parsed.data;
}
