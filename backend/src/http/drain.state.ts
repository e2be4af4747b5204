import { Injectable } from '@nestjs/common';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Node keeps on a connection the response that it is writing, or will write next. */
type Connection = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Whether this instance will stop soon. It still answers everything, but is not ready, so that a load balancer sends new
 * requests elsewhere; and each response closes its connection, so that the client opens the next one elsewhere too.
 */
@Injectable()
export class DrainState {
  private readonly open = new Set<Connection>();
  private readonly listeners: (() => void)[] = [];
  private hasBegun = false;

  get isDraining(): boolean {
    return this.hasBegun;
  }

  /** The open connections. */
  get connections(): ReadonlySet<Socket> {
    return this.open;
  }

  /** How many connections wait for a response. */
  get waiting(): number {
    return [...this.open].filter(({ _httpMessage: response }) => response).length;
  }

  /** Calls the listener when the instance begins to stop; for requests that wait for something to happen. */
  onBegin(listener: () => void): void {
    this.listeners.push(listener);
  }

  begin(): void {
    this.hasBegun = true;
    for (const listener of this.listeners) listener();
    for (const { _httpMessage: response } of this.open) if (response) closeAfter(response);
  }

  watchConnections(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Call for each request that arrives. */
  watch(response: ServerResponse): void {
    if (this.hasBegun) closeAfter(response);
  }
}

/** Node sends `Connection: close` and closes; if the headers are on their way already, it would keep the connection. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  else response.once('finish', () => response.socket?.destroySoon());
}
