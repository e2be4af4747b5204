import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Whether this instance will stop soon. It still answers everything, but is not ready, so that a load balancer sends new
 * requests elsewhere; and each response closes its connection, so that the client opens the next one elsewhere too.
 */
@Injectable()
export class DrainState {
  private readonly open = new Set<ServerResponse>();
  private readonly byConnection = new WeakMap<Socket, Set<ServerResponse>>();
  private readonly listeners: (() => void)[] = [];
  private hasBegun = false;

  get isDraining(): boolean {
    return this.hasBegun;
  }

  /** Calls the listener when the instance begins to stop; for requests that wait for something to happen. */
  onBegin(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** How many requests have no complete response yet. */
  get requests(): number {
    return this.open.size;
  }

  begin(): void {
    this.hasBegun = true;
    for (const listener of this.listeners) listener();
    for (const response of this.open) closeAfter(response);
  }

  /** Call for each request that arrives. */
  watch({ socket }: Pick<IncomingMessage, 'socket'>, response: ServerResponse): void {
    if (this.hasBegun) closeAfter(response);
    const waiting = this.waitingOn(socket);
    this.open.add(response);
    waiting.add(response);
    response.once('close', () => {
      this.open.delete(response);
      waiting.delete(response);
    });
  }

  /** Of the pipelined responses of a connection that is cut, Node closes only the first. */
  private waitingOn(socket: Socket): Set<ServerResponse> {
    const known = this.byConnection.get(socket);
    if (known) return known;
    const waiting = new Set<ServerResponse>();
    this.byConnection.set(socket, waiting);
    socket.once('close', () => {
      for (const response of waiting) this.open.delete(response);
      waiting.clear();
    });
    return waiting;
  }
}

/** Node sends `Connection: close` and closes; if the headers are on their way already, it would keep the connection. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  else response.once('finish', () => response.socket?.destroySoon());
}
