import type { FastifyRequest } from 'fastify';
import { isLoopback } from './loopback.rule.js';

/** Whether the request comes from a program on this machine, and not from elsewhere through a proxy on this machine. */
export const isLocalRequest = ({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean =>
  isLoopback(socket.remoteAddress) &&
  headers['x-forwarded-for'] === undefined &&
  headers['forwarded'] === undefined;
