import { z } from 'zod';
import type { ForumChange } from './forum.schema.js';
import type { UsageRow } from './usage.schema.js';

/** What the client may send. `after` is the last sequence it has. */
export const resumeRequest = z.strictObject({ after: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });
export type ResumeRequest = z.infer<typeof resumeRequest>;

/**
 * Why a page must refetch: it missed too many rows to send them one by one, it has rows of a database that no longer
 * exists, or its request was not a `ResumeRequest`.
 */
export type ResyncReason = 'behind' | 'ahead' | 'malformed';

/**
 * `resync` means: refetch `/api/usage`. `head` is the owner's newest sequence; later rows are sent anyway.
 */
export type ResumeAnswer = { ok: true; head: number } | { resync: true; head: number; reason: ResyncReason };

/**
 * `signedIn`: somebody signed in through the project; `consented`: somebody changed what its app sees of them, or
 * disconnected it; `refused`: a sign-in on an origin that is not allowed; `played`: a game of the project, its data or its
 * scores changed.
 */
export const projectChanges = [
  ...(['created', 'updated', 'keyRotated', 'deleted'] as const),
  ...(['signedIn', 'consented', 'refused', 'played'] as const),
] as const;
export type ProjectChange = (typeof projectChanges)[number];

export interface ServerEvents {
  /** New rows in order, at most every 100 ms and 200 at a time; `seq` is that of the last. */
  'usage.rows': (push: { rows: UsageRow[]; seq: number }) => void;
  /**
   * Replaces rows if a client cannot keep up: the number of calls and errors with the sequence numbers `from` … `to`.
   */
  'usage.summary': (push: { calls: number; errors: number; from: number; to: number }) => void;
  'project.changed': (push: { projectId: string; kind: ProjectChange }) => void;
  /** A key of the user was created, changed, rotated or deleted. */
  'keys.changed': () => void;
  /** A change in the community; only to sockets that watch it. */
  'forum.changed': (change: ForumChange) => void;
  'session.ended': (push: { reason: 'expired' | 'signedOut' }) => void;
}

export interface ClientEvents {
  resume: (request: ResumeRequest, answer: (reply: ResumeAnswer) => void) => void;
  /** Begins or ends `forum.changed`. Sent again after each connect; changes from before are not sent. */
  'forum.watch': (isWatching: boolean) => void;
}

export const socketPath = '/socket.io';
