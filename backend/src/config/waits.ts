import { limits } from '@orange-id/contract/limits';

/** The portal's waits, in ms, that a test may need to shorten. */
export interface Waits {
  /** Until a call must be stored, from its arrival (at least 1 s); also the time-out of one statement. */
  commitMs: number;
  /** Until a node of the chain must respond. */
  chainMs: number;
  /** Until another instance that renews the signing keys must be done. */
  startLockMs: number;
  /** Until a new socket must authenticate. */
  socketSignInMs: number;
  /** How long a page may read nothing before its socket is cut. */
  slowSocketMs: number;
}

export const waits: Readonly<Waits> = {
  commitMs: 5_000,
  chainMs: 5_000,
  startLockMs: 5_000,
  socketSignInMs: limits.socketSignInMs,
  slowSocketMs: limits.slowSocketMs,
};

/** Injection token of an application's own copy of `waits`. No variable sets them; a test may shorten its copy. */
export const WAITS = Symbol('waits');
