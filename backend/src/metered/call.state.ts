import type { ErrorCode } from '@orange-id/contract/error.codes';
import { meteredTemplateOf, pathOf } from '@orange-id/contract/metered.match';
import { storedPath, unknownEndpoint } from '@orange-id/contract/usage.path.rule';
import type { Outcome } from '@orange-id/contract/usage.schema';
import type { FastifyRequest } from 'fastify';
import type { MeteredCall } from '../usage/metered.call.js';
import type { KnownKey } from './key.directory.js';

/** What the checks of a call with a known key find out, and its row contains. */
export interface CallState {
  key: KnownKey;
  /** As `performance.now()`. */
  startedAt: number;
  /** In ms since the epoch. */
  at: number;
  origin: string | null;
  isOriginRefused: boolean;
  /** `null` until a check refuses the call: the status of the response then decides. */
  outcome: Outcome | null;
  errorCode: ErrorCode | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The call to record with the response; `null` before its key is accepted, and if the call is aggregated. */
    metered: CallState | null;
    /** As `performance.now()`. */
    startedAt: number;
  }
  interface FastifyContextConfig {
    endpoint?: string;
  }
}

/** The template of the route; for a known path also if the method is wrong. */
export function endpointOf(request: FastifyRequest): string {
  const { endpoint } = request.routeOptions.config;
  if (endpoint !== undefined) return endpoint;
  return meteredTemplateOf(pathOf(request.raw.url)) ?? unknownEndpoint;
}

export function callOf(request: FastifyRequest, statusCode: number, state: CallState): MeteredCall {
  const endpoint = endpointOf(request);
  return {
    userId: state.key.userId,
    keyId: state.key.id,
    projectId: state.key.project?.code ?? null,
    endpoint,
    method: request.method,
    statusCode,
    // Rounded as the table stores it, so that memory and table use the same bucket.
    responseTime: Math.fround(performance.now() - state.startedAt),
    at: state.at,
    origin: state.origin,
    outcome: state.outcome ?? (statusCode < 400 ? 'ok' : 'error'),
    errorCode: state.errorCode,
    path: endpoint === unknownEndpoint ? storedPath(request.raw.url ?? '') : null,
    calls: 1,
  };
}

/** A call that may be aggregated: one row stands for many, so it does not contain the requested path. */
export const refusedCallOf = (
  request: FastifyRequest,
  statusCode: number,
  state: CallState,
): MeteredCall => ({
  ...callOf(request, statusCode, state),
  path: null,
});
