import type { ForumChange } from '@orange-id/contract/forum.schema';
import type { ProjectChange } from '@orange-id/contract/socket.events';
import type { UsageRow } from '@orange-id/contract/usage.schema';

export interface Session {
  userId: string;
  token: string;
}

export interface ProjectChanged {
  type: 'project.changed';
  projectId: string;
  kind: ProjectChange;
}

export interface KeysChanged {
  type: 'keys.changed';
}

export interface ForumChanged {
  type: 'forum.changed';
  change: ForumChange;
}

/** Whether pages show the community. */
export interface ForumWatch {
  type: 'forum.watch';
  isWatching: boolean;
}

/** What the socket actor reports; `resumedFrom` is `null` if the server doesn't send the missed rows ('resync'). */
export type SocketReport =
  | { type: 'socket.opened'; resumedFrom: number | null; head: number }
  | { type: 'socket.refused' }
  | { type: 'socket.failed' }
  | { type: 'socket.heard' }
  | { type: 'rows.pushed'; rows: UsageRow[] }
  | { type: 'summary.pushed'; to: number }
  | { type: 'session.ended' }
  | ProjectChanged
  | ForumChanged
  | KeysChanged;

export type RealtimeEvent =
  | SocketReport
  | ForumWatch
  | { type: 'session.changed'; session: Session | null }
  | { type: 'network.changed'; isOnline: boolean }
  | { type: 'page.shown' };

/** What the machine emits for the pages. */
export type RealtimeNotice =
  | { type: 'rows.ready'; rows: UsageRow[] }
  | { type: 'rows.resynced' }
  | { type: 'session.ended' }
  | ProjectChanged
  | ForumChanged
  | KeysChanged;
