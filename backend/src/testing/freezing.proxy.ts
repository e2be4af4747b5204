import { connect, createServer, Socket } from 'node:net';
import { join } from 'node:path';
import type { DatabaseAddress } from '../database/embedded.postgres.js';
import { freePort } from './test.app.js';

/** A way to the database that can go silent without closing anything, as a black-holed network does. */
export interface FreezingProxy {
  address: DatabaseAddress;
  /** From now on no byte passes, in either direction. */
  freeze(): void;
  /** What was held back passes, and what follows. */
  thaw(): void;
  close(): void;
}

export async function startFreezingProxy(address: DatabaseAddress): Promise<FreezingProxy> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const link = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('close', () => {
      sockets.delete(from);
      to.end();
    });
    from.on('error', () => undefined);
    if (isFrozen) from.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(join(address.host, `.s.PGSQL.${address.port}`));
    link(client, upstream);
    link(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: { ...address, host: '127.0.0.1', port },
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
