import {
  ArgumentsHost,
  Catch,
  ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readOnlyCode } from '../database/pooled.client.js';
import { PortalError } from './portal.error.js';
import { requestFields } from './request.log.js';

/** Every write fails while a disk is full; one line a minute is logged. */
const shortageLogEveryMs = 60_000;

/**
 * Turns anything a handler throws into the contract's error body. Logs only unexpected errors, without query or body.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');
  private shortageLoggedAt = -Infinity;

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const known = asPortalError(error);
    if (known.code === 'server.failed') {
      const path = request.routeOptions?.url ?? 'unknown route';
      this.logger.error({
        message: `${request.method} ${path}: ${String(error)}`,
        stack: error instanceof Error ? error.stack : undefined,
        ...requestFields(request, reply, known.statusCode),
      });
    }
    if (isShortage(error) && performance.now() - this.shortageLoggedAt > shortageLogEveryMs) {
      this.shortageLoggedAt = performance.now();
      this.logger.warn(`The database is out of a resource: ${(error as Error).message}`);
    }
    if (known.retryAfterSeconds !== undefined)
      void reply.header('retry-after', String(known.retryAfterSeconds));
    void reply.status(known.statusCode).header('cache-control', 'no-store').send(known.body);
  }
}

/** Maps an error of Nest, Fastify, TypeORM or the driver to a `PortalError`. */
export function asPortalError(error: unknown): PortalError {
  if (error instanceof PortalError) return error;
  if (error instanceof NotFoundException) return new PortalError('route.notFound');
  const status =
    error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown })?.statusCode;
  if (status === 401) return new PortalError('auth.required');
  if (status === 413) return new PortalError('request.tooLarge');
  if (status === 415) return new PortalError('request.typeUnsupported');
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new PortalError('request.invalid', { message: (error as Error).message });
  }
  if (isLockTimeout(error)) return new PortalError('database.busy', { cause: error });
  if (isDatabaseDown(error)) return new PortalError('database.unavailable', { cause: error });
  return new PortalError('server.failed', { cause: error });
}

/** The code of an error of Node or of the driver; TypeORM copies it to its own. */
const codeOf = (error: unknown): string =>
  String((error as { code?: unknown } | null | undefined)?.code ?? '');

const downCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  // Cancelled by a time limit, or disconnected while its transaction was idle.
  '57014',
  '25P03',
  // Read-only: a primary that became a standby.
  readOnlyCode,
  '57P01',
  '57P02',
  '57P03',
]);

const downMessages =
  /Connection terminated|Driver not Connected|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/;

/**
 * Whether the server lacks a resource for this statement: disk space, memory, a connection (class 53 of the SQLSTATE
 * codes), or a working file system (class 58). Statements that do not need the resource still succeed.
 */
export const isShortage = (error: unknown): boolean => /^(?:53|58)[0-9A-Z]{3}$/.test(codeOf(error));

/** Whether a statement waited too long for a lock of another transaction, or deadlocked. */
const isLockTimeout = (error: unknown): boolean => ['55P03', '40P01'].includes(codeOf(error));

/** Whether an error means that the database is unreachable or lacks a resource (not that a query was wrong). */
export const isDatabaseDown = (error: unknown): boolean =>
  downCodes.has(codeOf(error)) ||
  isShortage(error) ||
  (error instanceof Error && downMessages.test(error.message));
