import { errorTable } from '@orange-id/contract/error.codes';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import { pictureAnswer, profileAnswer } from '@orange-id/contract/profile.schema';
import type {
  PictureAnswer,
  ProfileResult,
  ProfileUpdate,
  ToldProfile,
} from '@orange-id/contract/profile.schema';
import { z } from 'zod';
import { PortalError } from '../http/portal.error.js';
import {
  jsonOf,
  ServiceAnswer,
  ServiceCall,
  ServiceClient,
  ServiceTimes,
  shownWords,
} from '../http/service.client.js';
import { AttemptLimiter } from '../identity/attempt.limiter.js';
import type { User } from '../identity/user.entity.js';
import { Profiles } from './profiles.port.js';
import type { Caller, SentPicture } from './profiles.port.js';

/** As the hosted services take their keys. */
const serviceKeyHeader = 'Ocp-Apim-Subscription-Key';
const messageMaxCharacters = 300;
/** Of one account, so that nobody's calls to a slow service take the places of all. */
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

/** Where what the service keeps is shown from, when people are kept here: with the embedded identity service. */
export interface ProfileMirror {
  /** Before the service is asked to change an e-mail address; throws `request.rateLimited`. */
  countEmailChange(caller: Caller, email: string): void;
  keep(caller: Caller, update: ProfileUpdate, told: ToldProfile): Promise<void>;
  keepPicture(caller: Caller, picture: string): Promise<void>;
}

/**
 * A hosted profile service: asked with the portal's key and the caller's bearer, once and for 10 s at most.
 * What it answers is checked and mirrored; what it refuses is refused in its words.
 */
export class RemoteProfiles extends Profiles {
  private readonly client: ServiceClient;
  private readonly saves = new AttemptLimiter(savesPerMinute);

  /** `mirror` is null when people are kept elsewhere too: what the portal shows of them then comes from there. */
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
    if (!profile.success) throw this.client.nonsense(path, 'returned something other than a profile');
    const said = withAbsoluteUrl(profile.data, this.service.url);
    if (said === null) throw this.client.nonsense(path, 'returned a picture without a valid URL');
    await this.mirror?.keep(caller, update, said);
    return resultOf(caller.user, update, said);
  }

  async changePicture(caller: Caller, { bytes, format, name }: SentPicture): Promise<PictureAnswer> {
    const path = '/api/v1/user/profile/upload';
    const form = new FormData();
    // Its name may mean something there, as that of the default picture does; its type is what it was found to be.
    const sentName = /^[\w.-]{1,100}$/.test(name) ? name : `picture.${format}`;
    form.set('file', new File([new Uint8Array(bytes)], sentName, { type: `image/${format}` }));
    const answer = await this.ask(path, caller, { method: 'POST', headers: {}, body: form });
    if (answer.status >= 300) throw this.refusalOf(path, answer, uploadRefusals[answer.status]);
    const parsed = pictureAnswer.safeParse(jsonOf(answer));
    const picture = parsed.success ? absoluteUrl(parsed.data.picture, this.service.url) : null;
    if (picture === null) throw this.client.nonsense(path, 'returned something other than a picture');
    await this.mirror?.keepPicture(caller, picture);
    return { picture };
  }

  private ask(path: string, { token }: Caller, call: ServiceCall): Promise<ServiceAnswer> {
    const headers = {
      Accept: 'application/json',
      Authorization: `Bearer ${token}`,
      [serviceKeyHeader]: this.service.key,
      ...call.headers,
    };
    return this.client.send(path, { ...call, headers });
  }

  /** In our form: by the service's own code where it is one of ours, else by its status, else by what `asked` means. */
  private refusalOf(path: string, answer: ServiceAnswer, asked: ErrorCode | undefined): PortalError {
    const { status, headers } = answer;
    const { code, message, details } = refusal.parse(jsonOf(answer));
    const ours = [ourCode(code, status), refusals[status], asked].find((each) => each !== undefined);
    if (ours === undefined) return this.client.nonsense(path, `returned status ${status}`);
    const words =
      ours === 'auth.tokenInvalid' ? '' : shownWords(message ?? '', messageMaxCharacters, [this.service.key]);
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

/** What a bare 409 can only be about. */
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

function withAbsoluteUrl(profile: ToldProfile, base: string): ToldProfile | null {
  if (profile.picture == null || profile.picture === '') return profile;
  const picture = absoluteUrl(profile.picture, base);
  return picture === null ? null : { ...profile, picture };
}

/** An address that a page may show a picture from; a relative one is meant from the service's own. */
function absoluteUrl(address: string, base: string): string | null {
  if (address === '' || address.length > 2048 || !URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return ['http:', 'https:'].includes(url.protocol) && url.username === '' ? url.href : null;
}

/** The whole profile: what the service told, which is no word of what is null, else what was sent, else what was known. */
function resultOf(user: User, update: ProfileUpdate, said: ToldProfile): ProfileResult {
  const first = (...values: (string | null | undefined)[]) => values.find((value) => value != null) || null;
  return {
    picture: first(said.picture, user.profileImageUrl),
    displayName: first(said.displayName, update.displayName, user.displayName),
    userName: first(said.userName, update.userName, user.userName),
    displayDesc: first(said.displayDesc, update.displayDesc, user.bio),
    country: first(said.country, update.country, user.country),
    email: first(said.email, update.email, user.email),
    updatedAt: said.updatedAt ?? new Date().toISOString(),
  };
}
