import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { PortalError } from './portal.error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    readsForms?: boolean;
  }
}

const formMaxBytes = 16_384;

/** Marks a handler that also accepts form bodies, for pages without scripts. Other routes return 415 for forms. */
export const ReadsForms = (): MethodDecorator => RouteConfig({ readsForms: true });

export const formParsing = { parseAs: 'string', bodyLimit: formMaxBytes } as const;

export const readsForms = (request: FastifyRequest): boolean =>
  request.routeOptions.config.readsForms === true;

/** The fields of a form. Throws `request.invalid` if a field is repeated, because its value would be ambiguous. */
export function readForm(body: string): Record<string, string> {
  const entries = [...new URLSearchParams(body)];
  const names = new Set(entries.map(([name]) => name));
  if (names.size !== entries.length || names.has('__proto__')) {
    throw new PortalError('request.invalid', {
      message: 'The form repeats a field or has one called __proto__. Send each field once',
    });
  }
  return Object.fromEntries(entries);
}
