import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const requestIdHeader = 'x-request-id';

/** On the request itself: a WeakMap of every request costs each call more, also in garbage collection. */
const id = Symbol('requestId');
/** Differs between instances and starts. */
const prefix = randomBytes(6).toString('hex');
let made = 0;

/** An id for a request without one, or for a response to what is no request. */
export const newRequestId = (): string => `${prefix}-${(++made).toString(36)}`;

/**
 * The id of a request in its response and in the log: what a proxy or client sent as `X-Request-Id` or as the trace of
 * `traceparent` (W3C), if it is short and plain, otherwise a new one.
 */
export const requestIdOf = (request: IncomingMessage & { [id]?: string }): string =>
  (request[id] ??= sentId(request) ?? newRequestId());

function sentId({ headers }: IncomingMessage): string | undefined {
  const sent = headers[requestIdHeader];
  if (typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent)) return sent;
  const { traceparent } = headers;
  if (typeof traceparent !== 'string') return undefined;
  return /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent)?.[1];
}
