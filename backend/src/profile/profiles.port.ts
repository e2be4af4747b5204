import type { PictureAnswer, ProfileResult, ProfileUpdate } from '@orange-id/contract/profile.schema';
import type { SentFile } from '../http/file.body.js';
import type { PortalError } from '../http/portal.error.js';
import type { User } from '../auth/user.entity.js';
import type { PictureFormat } from './pictures/picture.type.js';

/** The caller: the user and the session of the bearer token, the token itself, and the client's address. */
export interface Caller {
  user: User;
  sessionId: string;
  token: string;
  address: string;
  /** The error if this session may not replace a confirmed address; null if it may. */
  provenStays: PortalError | null;
}

/** A file whose size and first bytes are those of an image. */
export interface SentPicture extends SentFile {
  format: PictureFormat;
}

/** The profile service: embedded, or the hosted one at `PROFILE_SERVICE_URL`. */
export abstract class Profiles {
  /**
   * Changes the given fields and no others; empty text clears a field. Throws the `…Taken` codes, and
   * `request.rateLimited` if the email address is changed too often.
   */
  abstract update(caller: Caller, update: ProfileUpdate): Promise<ProfileResult>;

  /** Makes a file the caller's photo; returns its URL. Throws `profile.pictureInvalid` if it cannot be decoded. */
  abstract changePicture(caller: Caller, picture: SentPicture): Promise<PictureAnswer>;
}
