import {
  ClientEvents,
  ProjectChange,
  ResumeAnswer,
  ServerEvents,
  socketPath,
} from '@orange-id/contract/socket.events';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { io, Socket } from 'socket.io-client';

/** A live connection as a page opens it, with everything it received. */
export interface Live {
  socket: Socket<ServerEvents, ClientEvents>;
  rows: UsageRow[];
  pushes: { rows: number; at: number }[];
  summaries: { calls: number; errors: number; from: number; to: number }[];
  changes: { projectId: string; kind: ProjectChange }[];
  endings: string[];
  /** How often a change of a key was announced. */
  keyChanges: number;
  resume(after: number): Promise<ResumeAnswer>;
  close(): void;
}

export interface LiveOptions {
  token?: string;
  origin?: string;
  transports?: ('websocket' | 'polling')[];
}

/** Opens a socket; rejects with the server's refusal. */
export function openLive(url: string, { token, origin, transports }: LiveOptions): Promise<Live> {
  const socket: Socket<ServerEvents, ClientEvents> = io(url, {
    path: socketPath,
    transports: transports ?? ['websocket'],
    auth: token === undefined ? {} : { token },
    reconnection: false,
    forceNew: true,
    ...(origin === undefined ? {} : { extraHeaders: { origin } }),
  });
  const live: Live = {
    socket,
    rows: [],
    pushes: [],
    summaries: [],
    changes: [],
    endings: [],
    keyChanges: 0,
    resume: (after) => socket.timeout(10_000).emitWithAck('resume', { after }),
    close: () => void socket.disconnect(),
  };
  socket.on('usage.rows', ({ rows }) => {
    live.pushes.push({ rows: rows.length, at: performance.now() });
    live.rows.push(...rows);
  });
  socket.on('usage.summary', (summary) => live.summaries.push(summary));
  socket.on('project.changed', (change) => live.changes.push(change));
  socket.on('keys.changed', () => void (live.keyChanges += 1));
  socket.on('session.ended', ({ reason }) => live.endings.push(reason));
  return new Promise((resolve, reject) => {
    socket.on('connect', () => resolve(live));
    socket.on('connect_error', (error) => {
      socket.disconnect();
      reject(error);
    });
  });
}
