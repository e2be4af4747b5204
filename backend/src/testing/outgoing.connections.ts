import { createServer } from 'node:http';
import { AddressInfo, Socket } from 'node:net';

/** An address that no code has a reason to request, and the requests it received. */
export interface Canary {
  port: number;
  /** Method and path of each request: `GET /path`. */
  hits: string[];
  close(): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`);
    response.setHeader('access-control-allow-origin', '*').end('{"data":"0x"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Records the target of every connection of this process, before a name is resolved: `host:port`, or the path of a
 * local socket. Connections of native code are not visible here.
 */
export function watchConnections(): { to: Set<string>; stop(): void } {
  const to = new Set<string>();
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    to.add(destinationOf(args));
    return connect.apply(this, args as never);
  } as typeof connect;
  return { to, stop: () => void (Socket.prototype.connect = connect) };
}

/** `connect` takes options, a path, or a port and a host; the built-in modules pass all of these in an array. */
function destinationOf([first, second]: unknown[]): string {
  if (Array.isArray(first)) return destinationOf(first);
  if (typeof first === 'object') {
    const { path, host, port } = first as { path?: string; host?: string; port?: number };
    return path ?? `${host ?? 'localhost'}:${port}`;
  }
  return Number.isInteger(Number(first))
    ? `${String(second ?? 'localhost')}:${String(first)}`
    : String(first);
}
