import { randomBytes } from 'node:crypto';

/** Of a stored picture: 128 random bits. Whoever has it may see the picture. */
export const newPictureName = (): string => randomBytes(16).toString('hex');

/** Whether a name can be that of a stored picture; nothing else comes near a path or an address. */
export const isPictureName = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);

/**
 * Keeps pictures by their names: in a folder (`FolderStore`) or in S3-compatible storage (`S3Store`). A name is
 * written once and never changed. Every method throws `profile.unavailable` when the storage does not work.
 */
export abstract class PictureStore {
  /** Resolves when the picture is kept for good; before that nobody reads any of it. */
  abstract put(name: string, bytes: Buffer): Promise<void>;

  /** The picture, or null when there is none of that name. */
  abstract read(name: string): Promise<Buffer | null>;

  /** Removes it and what an attempt to put it left behind; fine when there is nothing. */
  abstract remove(name: string): Promise<void>;
}

/** What people are told while the storage does not work; why, its operator reads in the log. */
export const storeDown = 'Photos can’t be saved or loaded right now. Try again later';
