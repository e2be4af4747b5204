import { Logger } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { proxyTrustOf, type TrustedProxies } from '../config/trusted.proxies.js';
import { addressKey } from './address.key.js';
import { PortalError } from './portal.error.js';

/**
 * Closes a new connection of a client address that has `limits.connectionsPerAddress`: each can hold an unfinished
 * request of 32 kB in memory. Trusted proxies have any number, because many clients share theirs.
 */
export function boundConnections(server: Server, proxies: TrustedProxies | undefined): void {
  const isProxy = proxyTrustOf(proxies);
  const counts = new Map<string, number>();
  let isLogged = false;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const key = addressKey(remoteAddress);
    const others = counts.get(key) ?? 0;
    if (others >= limits.connectionsPerAddress) {
      socket.destroy();
      if (isLogged) return;
      isLogged = true;
      new Logger('Connections').warn(
        `${remoteAddress} has ${others} connections, the maximum of one address; more are closed. If it is a proxy, name it in TRUST_PROXY`,
      );
      return;
    }
    counts.set(key, others + 1);
    socket.once('close', () => {
      const left = (counts.get(key) as number) - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    });
  });
}

interface Places {
  running: number;
  waiting: (() => void)[];
}

/**
 * Runs at most `limits.requestsPerAddress` requests of a client address at once, from when their bodies have arrived
 * until their responses begin. Further ones wait in turn. A thousand that wait for the database would otherwise make
 * everybody wait as long. Health checks and metrics have no limit.
 */
export function boundRequestsPerAddress(fastify: FastifyInstance): void {
  const placesOf = new Map<string, Places>();
  const leaves = new WeakMap<FastifyRequest, () => void>();

  fastify.addHook('preHandler', (request, reply, done) => {
    if (/^\/(?:health\/|metrics$)/.test(request.routeOptions.url ?? '')) return done();
    const key = addressKey(request.ip);
    const places = placesOf.get(key) ?? { running: 0, waiting: [] };
    placesOf.set(key, places);

    const next = (): void => {
      const begin = places.waiting.shift();
      if (begin) begin();
      else if (--places.running === 0) placesOf.delete(key);
    };
    const begin = (): void => {
      if (reply.raw.closed) {
        setImmediate(next);
        return done(new PortalError('request.timedOut'));
      }
      let hasLeft = false;
      const leave = (): void => {
        if (hasLeft) return;
        hasLeft = true;
        // Not at once: the next response may be complete within this call, and so on.
        setImmediate(next);
      };
      leaves.set(request, leave);
      reply.raw.once('close', leave);
      done();
    };
    if (places.running >= limits.requestsPerAddress) return void places.waiting.push(begin);
    places.running++;
    begin();
  });

  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    leaves.get(request)?.();
    done();
  });
}
