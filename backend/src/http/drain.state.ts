import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';

/**
 * Whether this instance will stop soon. It still answers everything, but is not ready, so that a load balancer sends new
 * requests elsewhere; and each response closes its connection, so that the client opens the next one elsewhere too.
 */
@Injectable()
export class DrainState {
  private readonly open = new Set<ServerResponse>();
  private hasBegun = false;

  get isDraining(): boolean {
    return this.hasBegun;
  }

  /** How many requests have no complete response yet. */
  get requests(): number {
    return this.open.size;
  }

  begin(): void {
    this.hasBegun = true;
    for (const response of this.open) closeAfter(response);
  }

  /** Call for each request that arrives. */
  watch(response: ServerResponse): void {
    if (this.hasBegun) closeAfter(response);
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
  }
}

/** Node sends `Connection: close` and closes; if the headers are on their way already, it would keep the connection. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  else response.once('finish', () => response.socket?.destroySoon());
}
