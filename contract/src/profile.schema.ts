import { z } from 'zod';
import { countries } from './countries.js';
import { emailAddress } from './identity.schema.js';
import { perProfileField, type ProfileField } from './profile.fields.js';
import { hasControlCharacters, hasInvisibleCharacters, tidyLine } from './text.rule.js';

/** Counted in code points, like PostgreSQL and JSON Schema: an emoji is one character, as it is to the user. */
const atMost = (max: number) =>
  [(value: string) => [...value].length <= max, `must have at most ${max} characters`] as const;

const line = (max: number) =>
  z
    .string()
    .meta({ maxLength: max })
    .overwrite(tidyLine)
    .refine(...atMost(max))
    .refine((value) => !hasInvisibleCharacters(value), 'must not contain invisible or control characters');

const sentText: Record<ProfileField['kind'], (field: ProfileField) => z.ZodType<string>> = {
  text: ({ maxCharacters, isKept, spelling }) => {
    const text = isKept ? line(maxCharacters).min(1, 'must not be empty') : line(maxCharacters);
    // Full-width letters, as some keyboards type them, become plain ones.
    const plain = (value: string) => tidyLine(value.normalize('NFKC'));
    return spelling ? text.overwrite(plain).refine(spelling.isValid, spelling.message) : text;
  },
  multiline: ({ maxCharacters }) =>
    z
      .string()
      .meta({ maxLength: maxCharacters })
      .refine(...atMost(maxCharacters))
      .refine((value) => !hasControlCharacters(value), 'must not contain control characters'),
  country: () => z.enum(['', ...countries], 'must be one of the countries listed in Settings, or empty'),
  email: () => emailAddress,
};

/** `POST /api/v1/user/profile`: only the changed fields. */
export const profileUpdate = z
  .strictObject(perProfileField('sentAs', (field) => sentText[field.kind](field).optional()))
  .refine((body) => Object.keys(body).length > 0, 'must include a field to change');
export type ProfileUpdate = z.infer<typeof profileUpdate>;

export const profileResult = z.object({
  picture: z.string().nullable(),
  ...perProfileField('sentAs', () => z.string().nullable()),
  updatedAt: z.string(),
});
export type ProfileResult = z.infer<typeof profileResult>;

const upstreamText = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .refine((value) => !value.includes('\0'))
    .nullish();

const upstreamProfile = z
  .object({
    picture: upstreamText(2048),
    ...perProfileField('sentAs', ({ upstreamMaxCharacters }) => upstreamText(upstreamMaxCharacters)),
    updatedAt: upstreamText(40),
  })
  .refine((profile) => Object.values(profile).some((value) => value !== undefined));
export type UpstreamProfile = z.infer<typeof upstreamProfile>;

/** A profile service responds with the profile, or with it in `data`; a hosted one may omit fields it doesn't store. */
export const profileAnswer = z.union([
  z.object({ data: upstreamProfile }).transform((answer) => answer.data),
  upstreamProfile,
]);

const namedPicture = z
  .object({ picture: z.string(), profilePicture: z.string(), photoUrl: z.string() })
  .partial()
  .transform((answer, context) => {
    const picture = answer.picture ?? answer.profilePicture ?? answer.photoUrl;
    if (picture !== undefined) return { picture };
    context.addIssue('must include picture, profilePicture or photoUrl');
    return z.NEVER;
  });

/** `POST /api/v1/user/profile/upload`: the picture's URL has one of three names, at the top level or within `data`. */
export const pictureAnswer = z.union([
  z.object({ data: namedPicture }).transform((answer) => answer.data),
  namedPicture,
]);
export type PictureAnswer = z.infer<typeof pictureAnswer>;
