import { limits } from '@orange-id/contract/limits';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';

const windowMs = 60_000;

/**
 * A WebSocket server that ends connections which send more than a page of the portal does. It handles one frame of a
 * connection at a time, and others' requests in between: a single packet has room for thousands of frames, each of which
 * costs work or, as a ping, an answer that waits in memory until its client reads it.
 */
export class BoundedWebSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, allowSynchronousEvents: false });
  }

  override handleUpgrade(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    done: (client: WebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, socket, head, (client, of) => {
      boundFrames(client, socket);
      done(client, of);
    });
  }
}

function boundFrames(client: WebSocket, socket: Socket): void {
  let untilMs = 0;
  let frames = 0;
  let bytes = 0;
  const count = (moreFrames: number, moreBytes: number): void => {
    const now = Date.now();
    if (now >= untilMs) {
      untilMs = now + windowMs;
      frames = bytes = 0;
    }
    frames += moreFrames;
    bytes += moreBytes;
    if (frames > limits.socketFramesPerMinute || bytes > limits.socketBytesPerMinute) client.terminate();
  };
  for (const kind of ['message', 'ping', 'pong']) client.on(kind, () => count(1, 0));
  // Fragments of a message are no frames until its last one.
  socket.on('data', (data: Buffer) => count(0, data.length));
}
