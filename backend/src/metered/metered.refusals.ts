import { ErrorCode, errorBody, errorTable } from '@orange-id/contract/error.codes';
import { apiKeyHeader } from '@orange-id/contract/metered.paths';
import { placeToAllow } from '@orange-id/contract/other.origin.rule';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limitReached } from '../http/attempt.limiter.js';
import { PortalError } from '../http/portal.error.js';
import { misplacedKey } from './misplaced.key.js';

/** Why a call is refused: an error with the table's message, or with one of its own. */
export type Refusal = ErrorCode | PortalError;

/** Sends a refusal. The body of one with the table's message is made once. */
export function refuse(reply: FastifyReply, refusal: Refusal): void {
  if (refusal instanceof PortalError) {
    setRefusal(reply, refusal);
    reply.send(bodyText(refusal, reply.request));
  } else {
    setRefusal(reply, new PortalError(refusal));
    const body = bodies.get(refusal) ?? keepBody(refusal);
    reply.send(withRequestId(body, reply.request));
  }
}

export function setRefusal(reply: FastifyReply, refusal: PortalError): void {
  reply.code(refusal.statusCode).header('content-type', json);
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
}

export const bodyText = (refusal: PortalError, request: FastifyRequest): string =>
  withRequestId(JSON.stringify(refusal.body), request);

/** Why a request has no known key, with the place of one that was sent elsewhere. */
export function keyRefusal(
  { headers, raw }: FastifyRequest,
  mayBeKey: (text: string) => boolean,
): PortalError {
  const code = headers[apiKeyHeader] ? 'key.invalid' : 'key.missing';
  const place = misplacedKey(raw, mayBeKey);
  if (place !== null) {
    return new PortalError(code, {
      message: `${errorTable[code].message}: the key was found in ${place}. Send the key alone in the X-API-Key header`,
    });
  }
  const message =
    code === 'key.missing'
      ? 'is missing. Send your API key in this header'
      : 'matches no key. Copy the whole key from My Projects or API Keys';
  return new PortalError(code, { details: [{ path: 'X-API-Key', message }] });
}

export function rateRefusal(subject: string, perSecond: number): PortalError {
  const calls = perSecond === 1 ? '1 call' : `${perSecond} calls`;
  return new PortalError('request.rateLimited', {
    message: limitReached(`${subject} is ${calls} a second`)(1),
    retryAfterSeconds: 1,
  });
}

/** `seconds` until the quota resets. */
export const quotaRefusal = (perDay: number | null, seconds: number): PortalError =>
  new PortalError('usage.quotaReached', {
    message: `The daily quota of this key’s owner, ${perDay} calls, is used up. It resets at 00:00 UTC. Retry in ${seconds} s.`,
    retryAfterSeconds: seconds,
  });

/** Names what the project's owner can do about a refused origin. Only the embedded project service has other origins. */
export function originRefusal(origin: string | null, isEmbedded: boolean): PortalError {
  const place = placeToAllow(origin ?? '');
  const wayOut =
    place === 'urls'
      ? 'Add the origin to its allowed URLs'
      : place === 'others' && isEmbedded
        ? 'Add it in My Projects under Other origins'
        : 'This origin can’t be allowed: call from a public web page on one of its allowed URLs, or from a server';
  return new PortalError('key.originRefused', {
    message: `This project doesn’t allow calls from ${origin}. ${wayOut}`,
  });
}

const json = 'application/json; charset=utf-8';

/** The id is short and plain, so it needs no escaping. */
const withRequestId = (body: string, { id }: FastifyRequest): string =>
  `${body.slice(0, -1)},"requestId":"${id}"}`;

const bodies = new Map<ErrorCode, string>();

function keepBody(code: ErrorCode): string {
  const body = JSON.stringify(errorBody(code));
  bodies.set(code, body);
  return body;
}
