import { connect, createServer, Socket } from 'node:net';
import { join } from 'node:path';
import type { DatabaseAddress } from '../config/database.address.js';
import { freePort } from './test.app.js';

/** A TCP proxy to the database, controlled by a test. */
export interface DatabaseRelay {
  address: DatabaseAddress;
  close(): void;
}

/** Passes each new connection and its counterpart at the database to `link`, which moves the bytes. */
export async function startRelay(
  address: DatabaseAddress,
  link: (client: Socket, upstream: Socket) => void,
): Promise<DatabaseRelay> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(join(address.host, `.s.PGSQL.${address.port}`));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
    }
    link(client, upstream);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: { ...address, host: '127.0.0.1', port },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
