import { z } from 'zod';
import type { UsageRow } from './usage.schema.js';

/** What the client may send. `after` is the last sequence it holds. */
export const resumeRequest = z.strictObject({ after: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });
export type ResumeRequest = z.infer<typeof resumeRequest>;

/**
 * Why a page must read again: it missed too many rows to be sent them one by one, it holds rows of a database that is
 * no more, or what it asked was not a `ResumeRequest`.
 */
export type ResyncReason = 'behind' | 'ahead' | 'malformed';

/**
 * `resync` means: read `/api/usage` again. `head` is the owner's newest sequence; what follows it is sent either way.
 */
export type ResumeAnswer = { ok: true; head: number } | { resync: true; head: number; reason: ResyncReason };

export type ProjectChange = 'created' | 'updated' | 'keyRotated' | 'deleted';

export interface ServerEvents {
  /** New rows in order, at most every 100 ms and 200 at a time; `seq` is that of the last. */
  'usage.rows': (push: { rows: UsageRow[]; seq: number }) => void;
  /** In place of rows, when a client cannot keep up: how many calls and errors the sequences `from` … `to` stand for. */
  'usage.summary': (push: { calls: number; errors: number; from: number; to: number }) => void;
  'project.changed': (push: { projectId: string; kind: ProjectChange }) => void;
  'session.ended': (push: { reason: 'expired' | 'signedOut' }) => void;
}

export interface ClientEvents {
  resume: (request: ResumeRequest, answer: (reply: ResumeAnswer) => void) => void;
}

export const socketPath = '/socket.io';
