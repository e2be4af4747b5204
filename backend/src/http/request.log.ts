import { Logger } from '@nestjs/common';
import { pathOf } from '@orange-id/contract/metered.match';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LogFields } from './portal.logger.js';

/** Logs a response; see `ACCESS_LOG`. */
export type AccessLog = (
  line: { method: string; url: string; status: number } & Omit<LogFields, 'message'>,
) => void;

/** Of a path in the log: a request line may have 16 KB, of which most requests need less than 100 bytes. */
const pathMaxCharacters = 300;

/** Logs the beginnings of paths, without their query, which may have secrets. */
export function accessLog(): AccessLog {
  const logger = new Logger('Access');
  return ({ method, url, ...fields }) => {
    const whole = pathOf(url);
    const path = whole.length > pathMaxCharacters ? `${whole.slice(0, pathMaxCharacters)}…` : whole;
    logger.log({ message: `${method} ${path} ${fields.status}`, method, path, ...fields });
  };
}

/** Logs every response of a Fastify instance. */
export function logAccess(fastify: FastifyInstance, log: AccessLog): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, originalUrl: url } = request;
    if (!request.isPassedOn) log({ method, url, ...requestFields(request, reply, reply.statusCode) });
    done();
  });
}

/** What a log line about a request has besides its text. Never the query or the body, which may have secrets. */
export const requestFields = (
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'elapsedTime'>,
  status: number,
) => ({
  requestId: request.id,
  userId: (request as { authenticated?: { user?: { id: string } } }).authenticated?.user?.id,
  status,
  durationMs: Math.round(reply.elapsedTime * 10) / 10,
});

/** Adds the id of the request to each error body of the contract. */
export function nameErrors(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (request, reply, body: unknown, done) => {
    const isError = reply.statusCode >= 400 && typeof body === 'object' && body !== null && 'code' in body;
    done(null, isError ? { ...body, requestId: request.id } : body);
  });
}
