import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { WAITS } from '../config/waits.js';
import type { Waits } from '../config/waits.js';
import { addressKey } from '../http/address.key.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { clientAddressOf } from '../config/trusted.proxies.js';

/**
 * Connections between their upgrade and a valid token. Each is destroyed after `socketSignInMs`, whatever it has sent
 * by then, and one client address may have `socketsSigningInPerAddress` of them, and open
 * `socketsOpenedPerAddressPerMinute`.
 */
@Injectable()
export class SocketLobby {
  private readonly waiting = new Map<string, number>();
  private readonly opening = new AttemptLimiter(limits.socketsOpenedPerAddressPerMinute);
  private readonly leaving = new WeakMap<Socket, () => void>();
  private readonly addressOf: (request: IncomingMessage) => string;

  constructor(
    @Inject(ENVIRONMENT) { TRUST_PROXY }: Environment,
    @Inject(WAITS) private readonly waits: Waits,
  ) {
    this.addressOf = clientAddressOf(TRUST_PROXY);
  }

  /** Adds the connection of an upgrade request; returns false if its address has too many. */
  enter(request: IncomingMessage): boolean {
    const { socket } = request;
    const name = addressKey(this.addressOf(request));
    const others = this.waiting.get(name) ?? 0;
    if (others >= limits.socketsSigningInPerAddress || !this.mayOpen(name)) return false;
    this.waiting.set(name, others + 1);
    // A regular WebSocket close would wait for the client.
    const timer = setTimeout(() => socket.destroy(), this.waits.socketSignInMs).unref();
    this.leaving.set(socket, () => {
      clearTimeout(timer);
      const left = (this.waiting.get(name) as number) - 1;
      if (left === 0) this.waiting.delete(name);
      else this.waiting.set(name, left);
    });
    socket.once('close', () => this.leave(request));
    return true;
  }

  private mayOpen(address: string): boolean {
    try {
      this.opening.take(address);
      return true;
    } catch {
      return false;
    }
  }

  /** Called when the connection has authenticated or is closed. */
  leave({ socket }: Pick<IncomingMessage, 'socket'>): void {
    const leave = this.leaving.get(socket);
    this.leaving.delete(socket);
    leave?.();
  }
}
