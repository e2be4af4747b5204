import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Whether this instance will stop soon. It still answers everything, but is not ready, so that a load balancer sends new
 * requests elsewhere; and each response closes its connection, so that the client opens the next one elsewhere too.
 */
@Injectable()
export class DrainState {
  /** The responses that are not complete. */
  private readonly open = new Map<Socket, Set<ServerResponse>>();
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
    let requests = 0;
    for (const responses of this.open.values()) requests += responses.size;
    return requests;
  }

  begin(): void {
    this.hasBegun = true;
    for (const listener of this.listeners) listener();
    for (const responses of this.open.values()) responses.forEach(closeAfter);
  }

  /** Call for each request that arrives. */
  watch({ socket }: Pick<IncomingMessage, 'socket'>, response: ServerResponse): void {
    if (this.hasBegun) closeAfter(response);
    const responses = this.open.get(socket) ?? this.openOn(socket);
    responses.add(response);
    response.once('close', () => responses.delete(response));
  }

  private openOn(socket: Socket): Set<ServerResponse> {
    const responses = new Set<ServerResponse>();
    this.open.set(socket, responses);
    // Of the pipelined responses of a connection that is cut, Node closes only the first.
    socket.once('close', () => this.open.delete(socket));
    return responses;
  }
}

/** Node sends `Connection: close` and closes; if the headers are on their way already, it would keep the connection. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  else response.once('finish', () => response.socket?.destroySoon());
}
