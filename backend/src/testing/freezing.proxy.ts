import type { Socket } from 'node:net';
import type { DatabaseAddress } from '../config/database.address.js';
import { DatabaseRelay, startRelay } from './database.relay.js';

/** A proxy to the database that can go silent without closing anything, like a black-holed network. */
export interface FreezingProxy extends DatabaseRelay {
  /** From now on no byte passes, in either direction. */
  freeze(): void;
  /** Forwards the held-back bytes, and all later ones. */
  thaw(): void;
}

export async function startFreezingProxy(address: DatabaseAddress): Promise<FreezingProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const link = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('close', () => {
      sockets.delete(from);
      to.end();
    });
    if (isFrozen) from.pause();
  };
  const relay = await startRelay(address, (client, upstream) => {
    link(client, upstream);
    link(upstream, client);
  });
  return {
    ...relay,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
