import { socketPath, type ClientEvents, type ServerEvents } from '@orange-id/contract/socket.events';
import { io, type Socket } from 'socket.io-client';
import type { CallbackLogicFunction } from 'xstate';
import { getUsage } from '../../api/usage/get.usage';
import { HttpError } from '../../api/http';
import type { RealtimeEvent, SocketReport } from './realtime.events';

const answerTimeoutMs = 10_000;

/** Whether the server refused the token; any other error is worth another attempt. */
function isRefusal(error: unknown): boolean {
  if (error instanceof HttpError) return error.status === 401;
  const code = (error as { data?: { code?: unknown } }).data?.code;
  return typeof code === 'string' && code.startsWith('auth.');
}

/** The owner's newest sequence number, from which a first connection starts; 0 before the first call. */
async function findHead(token: string, signal: AbortSignal): Promise<number> {
  const { rows } = await getUsage({ limit: 1 }, { token, signal });
  return rows[0]?.seq ?? 0;
}

interface SocketInput {
  token: string;
  /** The last sequence number received; `null` before the first connection. */
  after: number | null;
  /** Whether pages show the community; a later change arrives as `forum.watch`. */
  isWatching: boolean;
}

/**
 * Opens one live connection, resumes after the last sequence number, and reports events. It never reconnects: the
 * machine decides when to try again.
 */
export const openSocket: CallbackLogicFunction<RealtimeEvent, RealtimeEvent, SocketInput> = ({
  input,
  sendBack,
  receive,
}) => {
  let { isWatching } = input;
  const report = (event: SocketReport) => sendBack(event);
  const ending = new AbortController();
  const socket: Socket<ServerEvents, ClientEvents> = io({
    path: socketPath,
    transports: ['websocket'],
    auth: { token: input.token },
    reconnection: false,
    autoConnect: false,
    forceNew: true,
  });

  const fail = (error: unknown) => {
    if (!ending.signal.aborted) report({ type: isRefusal(error) ? 'socket.refused' : 'socket.failed' });
  };
  const start = (after: number) => {
    socket.on('connect', () => {
      if (isWatching) socket.emit('forum.watch', true);
      socket.timeout(answerTimeoutMs).emit('resume', { after }, (error, reply) => {
        if (error) fail(error);
        else report({ type: 'socket.opened', resumedFrom: 'ok' in reply ? after : null, head: reply.head });
      });
    });
    socket.on('connect_error', fail);
    socket.on('disconnect', fail);
    socket.io.on('ping', () => report({ type: 'socket.heard' }));
    socket.on('usage.rows', ({ rows }) => report({ type: 'rows.pushed', rows }));
    socket.on('usage.summary', ({ to }) => report({ type: 'summary.pushed', to }));
    socket.on('keys.changed', () => report({ type: 'keys.changed' }));
    socket.on('project.changed', (change) => report({ type: 'project.changed', ...change }));
    socket.on('forum.changed', (change) => report({ type: 'forum.changed', change }));
    socket.on('session.ended', () => report({ type: 'session.ended' }));
    socket.connect();
  };

  receive((event) => {
    if (event.type !== 'forum.watch') return;
    isWatching = event.isWatching;
    if (socket.connected) socket.emit('forum.watch', isWatching);
  });

  if (input.after !== null) start(input.after);
  else
    findHead(input.token, ending.signal).then((head) => {
      if (!ending.signal.aborted) start(head);
    }, fail);

  return () => {
    ending.abort();
    socket.off();
    socket.io.off();
    socket.disconnect();
  };
};

const rowsPerRead = 500;

/** Fetches the rows after one sequence number up to another, oldest first, page by page. */
export async function readMissed(input: { token: string; after: number; to: number }, signal: AbortSignal) {
  const rows = [];
  for (let cursor: number | null = input.after; cursor !== null && cursor < input.to;) {
    const page = await getUsage({ after: cursor, limit: rowsPerRead }, { token: input.token, signal });
    rows.push(...page.rows);
    cursor = page.next;
  }
  return rows;
}
