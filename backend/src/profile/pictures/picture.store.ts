import { randomBytes } from 'node:crypto';

/** The name of a stored photo: 128 random bits. Anyone who has it may see the photo. */
export const newPictureName = (): string => randomBytes(16).toString('hex');

/** Whether this has the form of a stored photo's name; no other text is used in a path or URL. */
export const isPictureName = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);

/**
 * Stores photos by name, in a folder (`FolderStore`) or in S3-compatible storage (`S3Store`). A name is written once
 * and never changed. Every method throws `profile.unavailable` if the storage fails, and those for an `owner`, an account or
 * a client address, `service.tooManyCalls` if too many of its requests wait for the storage.
 */
export abstract class PictureStore {
  /** Resolves once the photo is stored durably; nobody can read it before. */
  abstract put(name: string, bytes: Buffer, owner: string): Promise<void>;

  /** The photo, or null if the name does not exist. */
  abstract read(name: string, owner: string): Promise<Buffer | null>;

  /** Removes the photo and what a failed upload left of it; succeeds if there is nothing to remove. */
  abstract remove(name: string): Promise<void>;
}

/** The error that users see while the storage fails; the operator finds the reason in the log. */
export const storeDown = 'Photos can’t be saved or loaded right now. Try again later';
