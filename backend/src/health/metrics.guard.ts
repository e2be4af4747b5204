import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { hash, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { isLocalRequest } from '../http/local.request.js';
import { PortalError } from '../http/portal.error.js';

/** The metrics are for the operator: for programs on this machine, and for others with `METRICS_TOKEN`. */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'METRICS_TOKEN'>) {}

  /** Throws `auth.required`. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isLocalRequest(request) || this.hasToken(request.headers.authorization)) return true;
    throw new PortalError('auth.required');
  }

  private hasToken(authorization = ''): boolean {
    const { METRICS_TOKEN: token } = this.environment;
    // Compares digests, which have equal length, so that the timing reveals nothing about the token.
    return token !== undefined && timingSafeEqual(digestOf(authorization), digestOf(`Bearer ${token}`));
  }
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');
