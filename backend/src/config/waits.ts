import { limits } from '@orange-id/contract/limits';

/** The portal's waits, in ms, that a test may need to shorten. */
export interface Waits {
  /** Time from the arrival of a call until it must be stored (at least 1 s); also the time-out of one statement. */
  commitMs: number;
  /** How long an Ethereum node may take to respond. */
  chainMs: number;
  /** How long another instance may take to renew the signing keys. */
  startLockMs: number;
  /** How long a new socket may take to authenticate. */
  socketSignInMs: number;
  /** How long a page may read nothing before its socket is cut. */
  slowSocketMs: number;
  /** How long a client may take to read data that waits for it, before each byte it reads gives it more time. */
  slowReaderMs: number;
  /** How long the download of an export may take. */
  exportMs: number;
}

export const waits: Readonly<Waits> = {
  commitMs: 5_000,
  chainMs: 5_000,
  startLockMs: 5_000,
  socketSignInMs: limits.socketSignInMs,
  slowSocketMs: limits.slowSocketMs,
  slowReaderMs: 120_000,
  exportMs: limits.exportDownloadMs,
};

/** Injection token of an application's own copy of `waits`. No variable sets them; a test may shorten its copy. */
export const WAITS = Symbol('waits');
