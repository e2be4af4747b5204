import type { FastifyRequest } from 'fastify';
import { isLoopback } from './loopback.rule.js';

/** The headers with which proxies and content networks pass on whose request it is. */
const proxyHeader =
  /^(?:via|forwarded|x-forwarded(?:-[\w-]+)?|x-original-[\w-]+|x-real-ip|[\w-]+-(?:client|connecting)-ip)$/;

const ownHost = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether the request comes from a program on this machine: not from elsewhere through a proxy on this machine, and not
 * from a web page whose own host name resolves to this machine (DNS rebinding).
 */
export const isLocalRequest = ({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean =>
  isLoopback(socket.remoteAddress) &&
  ownHost.test(headers.host ?? '') &&
  !Object.keys(headers).some((name) => proxyHeader.test(name));
