import type { INestApplication } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { limits } from '@orange-id/contract/limits';
import { socketPath } from '@orange-id/contract/socket.events';
import { isOriginAllowed } from '@orange-id/contract/whitelist.rule';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Environment } from '../config/environment.js';
import { BoundedWebSocketServer } from './bounded.frames.js';
import { SocketLobby } from './socket.lobby.js';

// The adapter depends on its own socket.io, so its types come from there.
type IoServer = Parameters<IoAdapter['close']>[0];
type IoOptions = Parameters<IoAdapter['createIOServer']>[1];
type UpgradeRequest = IncomingMessage & { _query: Record<string, unknown> };

/**
 * socket.io on the portal's own HTTP server: websocket only, small messages, and of all browser pages only the portal's
 * may connect.
 */
export class SocketAdapter extends IoAdapter {
  private isClosing = false;
  private readonly lobby: SocketLobby;

  constructor(
    app: INestApplication,
    private readonly environment: Environment,
  ) {
    super(app);
    this.lobby = app.get(SocketLobby);
    cutOtherUpgrades(app.getHttpServer() as Server);
  }

  override createIOServer(port: number, options?: IoOptions): IoServer {
    const server: IoServer = super.createIOServer(port, {
      ...options,
      path: socketPath,
      transports: ['websocket'],
      serveClient: false,
      maxHttpBufferSize: limits.socketPayloadMaxBytes,
      perMessageDeflate: false,
      wsEngine: BoundedWebSocketServer,
      allowRequest: (
        request: IncomingMessage,
        decide: (problem: string | null, isAllowed: boolean) => void,
      ) => {
        if (this.isClosing || !this.isOwnPage(request.headers.origin)) return decide(null, false);
        decide(
          'Too many connections from this IP address are authenticating. Try again later',
          this.lobby.enter(request),
        );
      },
    } as IoOptions);
    // A session that moved to another connection would leave the lobby, and nothing below would close that connection.
    server.engine.use((request: UpgradeRequest, _response: unknown, next: (refusal?: Error) => void) =>
      next(
        request._query['sid'] === undefined
          ? undefined
          : new Error('A session can’t move to another connection'),
      ),
    );
    return server;
  }

  /** Closes only the sockets: the HTTP server still completes requests, and its owner closes it. */
  override async close(server: IoServer): Promise<void> {
    this.isClosing = true;
    server.disconnectSockets(true);
    server.engine.close();
  }

  /** A program sends no origin. In development another server may serve the browser application. */
  private isOwnPage(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    const own = new URL(this.environment.PUBLIC_URL).origin;
    if (origin === own) return true;
    return !this.environment.isProduction && isOriginAllowed(origin, []) === 'local';
  }
}

/**
 * Closes the connections of upgrade requests for other paths: Node hands them to the `upgrade` listeners, and nothing
 * else would close them.
 */
function cutOtherUpgrades(server: Server): void {
  server.on('upgrade', ({ url }: IncomingMessage, socket: Socket) => {
    if (url?.startsWith(`${socketPath}/`)) return;
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    socket.destroy();
  });
}
