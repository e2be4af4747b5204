import { Logger, OnApplicationShutdown } from '@nestjs/common';
import { OnGatewayInit, WebSocketGateway } from '@nestjs/websockets';
import { limits } from '@orange-id/contract/limits';
import {
  ClientEvents,
  ResumeAnswer,
  resumeRequest,
  ServerEvents,
  socketPath,
} from '@orange-id/contract/socket.events';
import type { Server, Socket } from 'socket.io';
import { ConnectionLost } from '../database/steady.connection.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { ConcurrencyLimiter } from '../http/concurrency.limiter.js';
import { asPortalError, isDatabaseDown } from '../http/error.filter.js';
import { PortalError } from '../http/portal.error.js';
import { AccessTokenVerifier, type Admit, Authenticated } from '../auth/access-token.verifier.js';
import { SessionEndings } from '../auth/session.endings.js';
import { KeyListChanges } from '../keys/key.list.changes.js';
import { UsageRecorder } from '../usage/usage.recorder.js';
import { ForumChanges } from './forum.changes.js';
import { InstanceSignals } from './instance.signals.js';
import { ProjectChanges } from './project.changes.js';
import { SocketLobby } from './socket.lobby.js';
import { UsagePusher } from './usage.pusher.js';

type Opened = Authenticated & { token: string };
type PortalServer = Server<ClientEvents, ServerEvents, Record<string, never>, { session: Opened }>;
type PortalSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, { session: Opened }>;

/** Timers above 2^31-1 ms fire at once, so a far expiry is waited for in slices. */
const longestTimerMs = 2 ** 31 - 1;
const sessionsCheckEveryMs = 5_000;
/** Packets that may be queued in a socket; more means that its client does not keep up. */
const packetsInFlight = 4;

/** Pages that show the community. */
const forumRoom = 'forum';

const roomOf = (userId: string): string => `user:${userId}`;

/**
 * The live connection of an open page: authenticated on every connect, in a room that the server chose, closed when its
 * token expires or its session ends.
 */
@WebSocketGateway({ path: socketPath })
export class RealtimeGateway implements OnGatewayInit<PortalServer>, OnApplicationShutdown {
  private readonly logger = new Logger('Realtime');
  private readonly sockets = new Map<string, Set<PortalSocket>>();
  private readonly openByUser = new ConcurrencyLimiter(limits.socketsPerUser, 'live.tooManyConnections');
  private readonly opening = new AttemptLimiter(limits.socketsOpenedPerMinute);
  private readonly resuming = new AttemptLimiter(limits.resumesPerMinute);
  /** Connections whose token was checked or is being checked. */
  private readonly asked = new WeakSet<PortalSocket['conn']>();
  private readonly subscriptions: (() => void)[] = [];

  constructor(
    private readonly verifier: AccessTokenVerifier,
    private readonly endings: SessionEndings,
    private readonly changes: ProjectChanges,
    private readonly forumChanges: ForumChanges,
    private readonly keyChanges: KeyListChanges,
    private readonly recorder: UsageRecorder,
    private readonly signals: InstanceSignals,
    private readonly pusher: UsagePusher,
    private readonly lobby: SocketLobby,
  ) {}

  afterInit(server: PortalServer): void {
    server.use((socket, next) => {
      const { conn } = socket;
      if (this.asked.has(conn)) {
        // Each check is a query, and one connection can send thousands at once. After closing, no more packets are
        // read.
        conn.close();
        conn.request.socket.destroy();
        return next(new Error('Authenticate only once per connection'));
      }
      this.asked.add(conn);
      void this.authenticate(socket).then(
        () => next(),
        (refusal: Error) => {
          next(refusal);
          // Closes after the refusal is written: the next attempt is a new connection, which is counted again.
          setImmediate(() => socket.conn.close());
        },
      );
    });
    server.on('connection', (socket) => this.welcome(socket));

    this.signals.listen({
      onOwners: (ownerIds) => this.pusher.wake(ownerIds),
      onProject: ({ ownerId, ...change }) => void server.to(roomOf(ownerId)).emit('project.changed', change),
      onKeys: (userId) => void server.to(roomOf(userId)).emit('keys.changed'),
      onForum: (change) => {
        this.forumChanges.receive(change);
        server.to(forumRoom).emit('forum.changed', change);
      },
      onSessionEnded: (sessionId) => {
        this.verifier.forget(sessionId);
        this.endSession(sessionId);
      },
    });
    const check = setInterval(() => void this.checkSessions(), sessionsCheckEveryMs).unref();
    this.subscriptions.push(
      () => clearInterval(check),
      this.recorder.onCommitted((ownerIds) => {
        this.pusher.wake(ownerIds);
        this.signals.tellOwners(ownerIds);
      }),
      this.changes.subscribe((ownerId, change) => {
        server.to(roomOf(ownerId)).emit('project.changed', change);
        this.signals.tellProject({ ownerId, ...change });
      }),
      this.keyChanges.subscribe((userId) => {
        server.to(roomOf(userId)).emit('keys.changed');
        this.signals.tellKeys(userId);
      }),
      this.forumChanges.subscribe((change) => {
        server.to(forumRoom).emit('forum.changed', change);
        this.signals.tellForum(change);
      }),
      this.endings.subscribe((sessionId) => {
        this.endSession(sessionId);
        this.signals.tellSessionEnded(sessionId);
      }),
    );
  }

  onApplicationShutdown(): void {
    for (const end of this.subscriptions) end();
  }

  /** The client reads `data.code` of errors thrown here: `auth.…` is final, anything else is retried. */
  private async authenticate(socket: PortalSocket): Promise<void> {
    try {
      const { token } = socket.handshake.auth as { token?: unknown };
      if (typeof token !== 'string' || token === '') throw new PortalError('auth.required');
      socket.data.session = {
        ...(await this.verifier.verify(token, undefined, undefined, this.admit)),
        token,
      };
      this.countOpen(socket);
      this.lobby.leave(socket.conn.request);
    } catch (error) {
      const known = asPortalError(error);
      if (known.code === 'server.failed') this.logger.error(String(error));
      throw Object.assign(new Error(known.message), { data: known.body });
    }
  }

  /** Called before the database is asked: a client that opens socket after socket would make it check each. */
  private readonly admit: Admit = async (userId) => this.opening.take(userId);

  /**
   * Counts the connection from here until its transport closes: a client that leaves now never reaches the `connection`
   * event.
   */
  private countOpen(socket: PortalSocket): void {
    // The client left while its token was checked; no 'close' event follows.
    if (socket.conn.readyState !== 'open') return;
    const { id } = socket.data.session.user;
    socket.conn.once('close', this.openByUser.enter(id));
  }

  private welcome(socket: PortalSocket): void {
    const { user, sessionId } = socket.data.session;
    void socket.join(roomOf(user.id));
    const ofSession = this.sockets.get(sessionId) ?? new Set();
    this.sockets.set(sessionId, ofSession.add(socket));
    const place = this.pusher.add({
      userId: user.id,
      emit: (event, ...args) => void socket.emit(event, ...args),
      isReady: () => writeBufferOf(socket) < packetsInFlight,
      cut: () => void socket.conn.request.socket.destroy(),
    });

    let turn = Promise.resolve();
    let resumes = 0;
    socket.on('resume', (request: unknown, answer: unknown) => {
      // A client that sends requests without a callback, or many, is not a portal page.
      if (
        typeof answer !== 'function' ||
        ++resumes > limits.resumesPerConnection ||
        !this.mayResume(user.id)
      ) {
        return void socket.disconnect(true);
      }
      const parsed = resumeRequest.safeParse(request);
      turn = turn
        .then(() => this.pusher.resume(place, parsed.success ? parsed.data.after : null))
        .then(
          (reply) => {
            (answer as (reply: ResumeAnswer) => void)(reply);
            this.pusher.wake([user.id]);
          },
          (error: unknown) => {
            if (!(error instanceof ConnectionLost)) this.logger.error(`resuming failed: ${String(error)}`);
            socket.disconnect(true);
          },
        );
    });
    socket.on('forum.watch', (isWatching: unknown) => {
      if (isWatching === true) void socket.join(forumRoom);
      else void socket.leave(forumRoom);
    });
    let stopWaiting = (): void => undefined;
    socket.on('disconnect', () => {
      stopWaiting();
      // A page also closes its connection; a client that only leaves the namespace would keep it open beyond its
      // token's expiry.
      socket.conn.close();
      this.pusher.remove(place);
      ofSession.delete(socket);
      if (ofSession.size === 0 && this.sockets.get(sessionId) === ofSession) this.sockets.delete(sessionId);
    });
    // Last, because a token that has just expired ends the connection at once, which must undo all of the above.
    stopWaiting = this.endAtExpiry(socket);
  }

  /** Each resume reads the database, and can make it send thousands of rows again. */
  private mayResume(userId: string): boolean {
    try {
      this.resuming.take(userId);
      return true;
    } catch (error) {
      if (error instanceof PortalError) return false;
      throw error;
    }
  }

  private endAtExpiry(socket: PortalSocket): () => void {
    const { expiresAtMs } = socket.data.session;
    let timer: NodeJS.Timeout;
    const wait = () => {
      const left = expiresAtMs - Date.now();
      if (left <= 0) return end(socket, 'expired');
      timer = setTimeout(wait, Math.min(left, longestTimerMs)).unref();
    };
    wait();
    return () => clearTimeout(timer);
  }

  private endSession(sessionId: string): void {
    for (const socket of this.sockets.get(sessionId) ?? []) end(socket, 'signedOut');
  }

  /** A session may end without a notification: on an instance that crashed, or by a change in the database. */
  private async checkSessions(): Promise<void> {
    if (this.sockets.size === 0) return;
    try {
      const open = [...this.sockets].map(([sessionId, sockets]) => ({ sessionId, token: tokenOf(sockets) }));
      for (const id of await this.verifier.endedAmong(open)) this.endSession(id);
    } catch (error) {
      if (!isDatabaseDown(error)) this.logger.error(`checking sign-ins failed: ${String(error)}`);
    }
  }
}

function end(socket: PortalSocket, reason: 'expired' | 'signedOut'): void {
  socket.emit('session.ended', { reason });
  socket.disconnect(true);
}

/** Any socket of a session will do: they all end together. */
const tokenOf = ([first]: ReadonlySet<PortalSocket>): string => (first as PortalSocket).data.session.token;

const writeBufferOf = (socket: PortalSocket): number =>
  (socket.conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length;
