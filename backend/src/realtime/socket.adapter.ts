import type { INestApplication } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { limits } from '@orange-id/contract/limits';
import { socketPath } from '@orange-id/contract/socket.events';
import { isOriginAllowed } from '@orange-id/contract/whitelist.rule';
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../config/environment.js';

// The adapter brings a socket.io of its own, so its types are taken from it.
type IoServer = Parameters<IoAdapter['close']>[0];
type IoOptions = Parameters<IoAdapter['createIOServer']>[1];

/** socket.io on the portal's own HTTP server: websocket only, small messages, and only pages of the portal may connect. */
export class SocketAdapter extends IoAdapter {
  private isClosing = false;

  constructor(
    app: INestApplication,
    private readonly environment: Environment,
  ) {
    super(app);
  }

  override createIOServer(port: number, options?: IoOptions): IoServer {
    return super.createIOServer(port, {
      ...options,
      path: socketPath,
      transports: ['websocket'],
      serveClient: false,
      maxHttpBufferSize: limits.socketPayloadMaxBytes,
      perMessageDeflate: false,
      allowRequest: (
        request: IncomingMessage,
        decide: (problem: string | null, isAllowed: boolean) => void,
      ) => decide(null, !this.isClosing && this.isOwnPage(request.headers.origin)),
    } as IoOptions);
  }

  /** Cuts the sockets only: the HTTP server is still answering requests and is closed by who opened it. */
  override async close(server: IoServer): Promise<void> {
    this.isClosing = true;
    server.disconnectSockets(true);
    server.engine.close();
  }

  /** A program sends no origin. In development the browser application may come from a server of its own. */
  private isOwnPage(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    const own = new URL(this.environment.PUBLIC_URL).origin;
    if (origin === own) return true;
    return !this.environment.isProduction && isOriginAllowed(origin, []) === 'local';
  }
}
