import { limits } from '@orange-id/contract/limits';

/** How long the portal waits for others, in ms. */
export interface Waits {
  /** For a call to be stored, from its coming. */
  commitMs: number;
  /** For a node of the chain. */
  chainMs: number;
  /** For another instance that starts or makes signing keys. */
  startLockMs: number;
  /** For a new socket to say who it is. */
  socketSignInMs: number;
  /** For a page to take something of what waits for it. */
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
