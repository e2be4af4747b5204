import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MetricsRegistry } from './metrics.registry.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether another instance responds to this request, and counts it. */
    isPassedOn: boolean;
  }
}

/** Stands for every path without a route, so that requests can't add series. */
export const unmatched = 'unmatched';

const buckets = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts responses and their durations by method, route template and status class. */
@Injectable()
export class RequestMetrics {
  private readonly durations;

  constructor(metrics: MetricsRegistry) {
    this.durations = metrics.histogram(
      'http_request_duration_seconds',
      'Responses by method, route template and status class, with their durations',
      buckets,
      ['method', 'route', 'status'],
    );
  }

  /** `route` is a template, never the path of a request. */
  count(method: string, route: string, statusCode: number, ms: number): void {
    this.durations.observe({ method, route, status: classes[Math.floor(statusCode / 100)] }, ms / 1000);
  }

  /** Counts every response of a Fastify instance. */
  watch(fastify: FastifyInstance): void {
    fastify.decorateRequest('isPassedOn', false);
    fastify.addHook('onResponse', (request, reply, done) => {
      if (!request.isPassedOn) {
        this.count(methodOf(request), routeOf(request), reply.statusCode, reply.elapsedTime);
      }
      done();
    });
  }
}

const classes = ['other', '1xx', '2xx', '3xx', '4xx', '5xx'];

const routeOf = (request: FastifyRequest): string =>
  request.is404 ? unmatched : (request.routeOptions.url ?? unmatched);

/** A request without a route may have any of the 30 methods that Node knows. */
const methodOf = (request: FastifyRequest): string => (request.is404 ? 'any' : request.method);
