import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const field = (type: string, text: string): Buffer => Buffer.from(`${type}${text}\0`);

/** A server that refuses every client with an SQLSTATE: the tests' own trusts everybody on its socket. */
export async function startHandmadePostgres(code: string): Promise<{ port: number; close(): void }> {
  const body = Buffer.concat([
    field('S', 'FATAL'),
    field('C', code),
    field('M', 'refused'),
    Buffer.from([0]),
  ]);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(body.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([head, body])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
