import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** About 64 kbit/s. */
const bytesPerMs = 8;

interface Backlog {
  sinceMs: number;
  /** Bytes that the system had accepted for the connection by then. */
  from: number;
}

/**
 * Cuts connections whose clients read their responses so slowly that the process has to hold data for them: from the
 * moment when data waits, a client has `graceMs`, and 1 s for each 8 kB to send it since. Node's own time-out cuts only
 * those that read nothing at all. Connections that were upgraded to sockets have a rule of their own.
 */
export function cutSlowReaders(
  server: Server,
  graceMs: () => number,
  everyMs: number,
  now: () => number = () => performance.now(),
): void {
  const backlogs = new Map<Socket, Backlog | null>();
  server.on('connection', (socket: Socket) => {
    backlogs.set(socket, null);
    socket.once('close', () => backlogs.delete(socket));
  });
  server.on('upgrade', (_request, socket: Socket) => backlogs.delete(socket));

  const check = (): void => {
    for (const [socket, backlog] of backlogs) {
      if (socket.writableLength === 0) {
        if (backlog !== null) backlogs.set(socket, null);
      } else if (backlog === null) {
        backlogs.set(socket, { sinceMs: now(), from: socket.bytesWritten - socket.writableLength });
      } else if (now() - backlog.sinceMs > graceMs() + (socket.bytesWritten - backlog.from) / bytesPerMs) {
        socket.destroy();
      }
    }
  };
  const timer = setInterval(check, everyMs).unref();
  server.once('close', () => clearInterval(timer));
}
