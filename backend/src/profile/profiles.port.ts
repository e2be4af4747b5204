import type { PictureAnswer, ProfileResult, ProfileUpdate } from '@orange-id/contract/profile.schema';
import type { SentFile } from '../http/file.body.js';
import type { PortalError } from '../http/portal.error.js';
import type { User } from '../identity/user.entity.js';
import type { PictureFormat } from './pictures/picture.type.js';

/** Who asks: the user and the sign-in behind the bearer, that bearer itself, and the client's address. */
export interface Caller {
  user: User;
  sessionId: string;
  token: string;
  address: string;
  /** The refusal to replace a proven address, for who may not; null for who may. */
  provenStays: PortalError | null;
}

/** A file whose size and first bytes are those of a picture. */
export interface SentPicture extends SentFile {
  format: PictureFormat;
}

/** The profile service: embedded, or a hosted one by `PROFILE_SERVICE_URL`. */
export abstract class Profiles {
  /**
   * Changes the fields given and no others; an empty username, bio or country clears it. Throws the `…Taken` codes, and
   * `request.rateLimited` when the e-mail is changed again and again.
   */
  abstract update(caller: Caller, update: ProfileUpdate): Promise<ProfileResult>;

  /** Makes a file the caller's picture; answers its address. Throws `profile.pictureInvalid` when it cannot be read. */
  abstract changePicture(caller: Caller, picture: SentPicture): Promise<PictureAnswer>;
}
