import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const requestIdHeader = 'x-request-id';

const ids = new WeakMap<IncomingMessage, string>();
/** Differs between instances and starts. */
const prefix = randomBytes(6).toString('hex');
let made = 0;

/** An id for a request without one, or for a response to what is no request. */
export const newRequestId = (): string => `${prefix}-${(++made).toString(36)}`;

/**
 * The id of a request in its response and in the log: what a proxy or client sent as `X-Request-Id` or as the trace of
 * `traceparent` (W3C), if it is short and plain, otherwise a new one.
 */
export function requestIdOf(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const id = sentId(request) ?? newRequestId();
  ids.set(request, id);
  return id;
}

function sentId({ headers }: IncomingMessage): string | undefined {
  const id = headers[requestIdHeader];
  if (typeof id === 'string' && /^[\w.-]{1,64}$/.test(id)) return id;
  const { traceparent } = headers;
  if (typeof traceparent !== 'string') return undefined;
  return /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent)?.[1];
}
