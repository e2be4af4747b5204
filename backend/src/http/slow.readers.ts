import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** About 64 kbit/s. */
const bytesPerMs = 8;

interface Backlog {
  sinceMs: number;
  /** Bytes that the system had accepted for the connection by then. */
  from: number;
}

/** `graceMs` is read at each check. */
export interface SlowReaderLimits {
  graceMs: () => number;
  /** Bytes that may wait in all connections together. */
  waitingBytesMax: number;
  everyMs: number;
}

/**
 * Cuts connections whose clients read their responses so slowly that the process has to hold data for them. From the
 * moment when data waits, a client has `graceMs`, and 1 s for each 8 kB to send it since; Node's own time-out cuts only
 * those that read nothing at all. While more than `waitingBytesMax` wait in total, those that have waited longest are
 * cut. Connections that were upgraded to sockets have a rule of their own.
 */
export function cutSlowReaders(
  server: Server,
  { graceMs, waitingBytesMax, everyMs }: SlowReaderLimits,
): void {
  const backlogs = new Map<Socket, Backlog | null>();
  server.on('connection', (socket: Socket) => {
    backlogs.set(socket, null);
    socket.once('close', () => backlogs.delete(socket));
  });
  server.on('upgrade', (_request, socket: Socket) => backlogs.delete(socket));

  const check = (): void => {
    const now = performance.now();
    const waiting: { socket: Socket; sinceMs: number }[] = [];
    let waitingBytes = 0;
    for (const [socket, before] of backlogs) {
      if (socket.writableLength === 0) {
        if (before !== null) backlogs.set(socket, null);
        continue;
      }
      const backlog = before ?? { sinceMs: now, from: socket.bytesWritten - socket.writableLength };
      if (before === null) backlogs.set(socket, backlog);
      const allowedMs = graceMs() + (socket.bytesWritten - backlog.from) / bytesPerMs;
      if (now - backlog.sinceMs > allowedMs) {
        socket.destroy();
        continue;
      }
      waiting.push({ socket, sinceMs: backlog.sinceMs });
      waitingBytes += socket.writableLength;
    }
    if (waitingBytes <= waitingBytesMax) return;
    for (const { socket } of waiting.sort((a, b) => a.sinceMs - b.sinceMs)) {
      waitingBytes -= socket.writableLength;
      socket.destroy();
      if (waitingBytes <= waitingBytesMax) return;
    }
  };
  const timer = setInterval(check, everyMs).unref();
  server.once('close', () => clearInterval(timer));
}
