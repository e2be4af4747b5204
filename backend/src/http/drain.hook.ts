import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

const longestWaitMs = 300;
const lookAgainMs = 10;

/**
 * On closing, goes on accepting for a moment while every answer tells its client to close the connection, so that
 * a request that was already on the wire is answered and not reset. It ends early when nobody is connected.
 * Connections that browsers opened ahead and sent nothing on are cut then: Node calls none of them idle, and would wait
 * for each as long as a request may take. `behind` answers some requests of the same HTTP server.
 */
export function drainBeforeClose(fastify: FastifyInstance, behind: FastifyInstance): void {
  const connections = new Set<Socket>();
  fastify.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  fastify.addHook('preClose', async () => {
    // It listens nowhere itself; from now on its answers close their connections too.
    void behind.close();
    const deadline = performance.now() + longestWaitMs;
    while (performance.now() < deadline && (await connectionsOf(fastify)) > 0) {
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
    }
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });
}

const connectionsOf = (fastify: FastifyInstance): Promise<number> =>
  new Promise((resolve, reject) => {
    if (!fastify.server.listening) return resolve(0);
    fastify.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
