import { errorTable } from '@orange-id/contract/error.codes';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import { perProfileField } from '@orange-id/contract/profile.fields';
import { pictureAnswer, profileAnswer } from '@orange-id/contract/profile.schema';
import type {
  PictureAnswer,
  ProfileResult,
  ProfileUpdate,
  UpstreamProfile,
} from '@orange-id/contract/profile.schema';
import { z } from 'zod';
import { PortalError } from '../http/portal.error.js';
import {
  jsonOf,
  ServiceAnswer,
  ServiceCall,
  ServiceClient,
  ServiceTimes,
  shownText,
} from '../http/service.client.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import type { User } from '../auth/user.entity.js';
import { Profiles } from './profiles.port.js';
import type { Caller, SentPicture } from './profiles.port.js';

/** The header in which hosted services expect their key. */
const serviceKeyHeader = 'Ocp-Apim-Subscription-Key';
const messageMaxCharacters = 300;
/** Updates of one account per minute, so that one user's requests to a slow service do not block every user. */
const savesPerMinute = 60;

const refusal = z
  .object({
    code: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    details: z
      .array(z.object({ path: z.string().max(60), message: z.string().max(messageMaxCharacters) }))
      .max(20)
      .optional()
      .catch(undefined),
  })
  .catch({});

/** The local mirror of the service's data if users are stored here: with the embedded identity service. */
export interface ProfileMirror {
  /** Called before the service is asked to change an email address; throws `request.rateLimited`. */
  countEmailChange(caller: Caller, email: string): void;
  keep(caller: Caller, update: ProfileUpdate, upstream: UpstreamProfile): Promise<void>;
  keepPicture(caller: Caller, picture: string): Promise<void>;
}

/**
 * A hosted profile service: sends each request once, with the portal's key and the caller's bearer token, and waits at
 * most 10 s. Validates and mirrors responses; passes refusals on with their message.
 */
export class RemoteProfiles extends Profiles {
  private readonly client: ServiceClient;
  private readonly saves = new AttemptLimiter(savesPerMinute);

  /** `mirror` is null if users are stored elsewhere too: the portal then shows the data from there. */
  constructor(
    private readonly service: { url: string; key: string },
    private readonly mirror: ProfileMirror | null,
    times: Partial<ServiceTimes> = {},
  ) {
    super();
    this.client = new ServiceClient(
      { name: 'Profile service', url: service.url, unavailable: 'profile.unavailable' },
      times,
    );
  }

  async update(caller: Caller, update: ProfileUpdate): Promise<ProfileResult> {
    this.saves.take(caller.user.id);
    if (update.email !== undefined) this.mirror?.countEmailChange(caller, update.email);
    const path = '/api/v1/user/profile';
    const answer = await this.ask(path, caller, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(update),
    });
    if (answer.status >= 300) throw this.refusalOf(path, answer, takenBy(update));
    const profile = profileAnswer.safeParse(jsonOf(answer));
    if (!profile.success) throw this.client.invalidAnswer(path, 'returned something other than a profile');
    const upstream = withAbsoluteUrl(profile.data, this.service.url);
    if (upstream === null) throw this.client.invalidAnswer(path, 'returned a picture without a valid URL');
    await this.mirror?.keep(caller, update, upstream);
    return resultOf(caller.user, update, upstream);
  }

  async changePicture(caller: Caller, { bytes, format, name }: SentPicture): Promise<PictureAnswer> {
    const path = '/api/v1/user/profile/upload';
    const form = new FormData();
    // Keeps the file name, which may have a meaning, like that of the default photo; the type is the detected one.
    const sentName = /^[\w.-]{1,100}$/.test(name) ? name : `picture.${format}`;
    form.set('file', new File([new Uint8Array(bytes)], sentName, { type: `image/${format}` }));
    const answer = await this.ask(path, caller, { method: 'POST', headers: {}, body: form });
    if (answer.status >= 300) throw this.refusalOf(path, answer, uploadRefusals[answer.status]);
    const parsed = pictureAnswer.safeParse(jsonOf(answer));
    const picture = parsed.success ? absoluteUrl(parsed.data.picture, this.service.url) : null;
    if (picture === null) throw this.client.invalidAnswer(path, 'returned something other than a picture');
    await this.mirror?.keepPicture(caller, picture);
    return { picture };
  }

  private ask(path: string, { token, user }: Caller, call: ServiceCall): Promise<ServiceAnswer> {
    const headers = {
      Accept: 'application/json',
      Authorization: `Bearer ${token}`,
      [serviceKeyHeader]: this.service.key,
      ...call.headers,
    };
    return this.client.run(user.id, () => this.client.send(path, { ...call, headers }));
  }

  /**
   * Translates a refusal: by the service's code if the contract has it, else by its status, else by `asked`, the code
   * that fits the request.
   */
  private refusalOf(path: string, answer: ServiceAnswer, asked: ErrorCode | undefined): PortalError {
    const { status, headers } = answer;
    const { code, message, details } = refusal.parse(jsonOf(answer));
    const ours = [ourCode(code, status), refusals[status], asked].find((each) => each !== undefined);
    if (ours === undefined) return this.client.invalidAnswer(path, `returned status ${status}`);
    const words =
      ours === 'auth.tokenInvalid' ? '' : shownText(message ?? '', messageMaxCharacters, [this.service.key]);
    const waitSeconds = Number(headers.get('retry-after'));
    return new PortalError(ours, {
      ...(words === '' ? {} : { message: words }),
      ...(details === undefined ? {} : { details }),
      ...(status === 429 ? { retryAfterSeconds: waitSeconds > 0 ? Math.ceil(waitSeconds) : 60 } : {}),
    });
  }
}

const refusals: Record<number, ErrorCode> = {
  400: 'request.invalid',
  401: 'auth.tokenInvalid',
  403: 'profile.refused',
  422: 'request.invalid',
  429: 'request.rateLimited',
};

const uploadRefusals: Record<number, ErrorCode> = {
  413: 'profile.pictureTooLarge',
  415: 'profile.pictureInvalid',
};

/** The only field that a bare 409 can refer to. */
function takenBy({ email, userName }: ProfileUpdate): ErrorCode | undefined {
  if (email !== undefined && userName === undefined) return 'profile.emailTaken';
  return userName === undefined ? undefined : 'profile.userNameTaken';
}

function ourCode(code: string | undefined, status: number): ErrorCode | undefined {
  if (
    code === undefined ||
    !/^(profile\.|request\.|auth\.tokenForeign$)/.test(code) ||
    !Object.hasOwn(errorTable, code)
  )
    return undefined;
  return errorTable[code as ErrorCode].status === status ? (code as ErrorCode) : undefined;
}

function withAbsoluteUrl(profile: UpstreamProfile, base: string): UpstreamProfile | null {
  if (profile.picture == null || profile.picture === '') return profile;
  const picture = absoluteUrl(profile.picture, base);
  return picture === null ? null : { ...profile, picture };
}

/** A URL that a page may load a photo from; a relative one is resolved against the service's address. */
function absoluteUrl(address: string, base: string): string | null {
  if (address === '' || address.length > 2048 || !URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return ['http:', 'https:'].includes(url.protocol) && url.username === '' ? url.href : null;
}

/**
 * The whole profile: the returned value (`null` means the service did not send the field), else the sent value, else
 * the known one.
 */
function resultOf(user: User, update: ProfileUpdate, upstream: UpstreamProfile): ProfileResult {
  const first = (...values: (string | null | undefined)[]) => values.find((value) => value != null) || null;
  return {
    picture: first(upstream.picture, user.profileImageUrl),
    ...perProfileField('sentAs', ({ sentAs, storedAs }) =>
      first(upstream[sentAs], update[sentAs], user[storedAs]),
    ),
    updatedAt: upstream.updatedAt ?? new Date().toISOString(),
  };
}
