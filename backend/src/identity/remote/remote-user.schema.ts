import { perProfileField } from '@orange-id/contract/profile.fields';
import { getAddress, isAddress } from 'viem/utils';
import { z } from 'zod';

/** Text that fits a column; any other value from the service is treated as missing. */
const upstreamText = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .refine((text) => !text.includes('\0'))
    .transform((text) => (text.trim() === '' ? null : text))
    .nullish()
    .catch(undefined);

/** The user's id at the service: `id`, or `sub` if there is none. */
const subject = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(
    z
      .string()
      .min(1)
      .max(255)
      .refine((text) => !text.includes('\0')),
  );

/** A user as a hosted identity service returns it from `GET /api/v1/auth/user`; all fields but the id are optional. */
export const remoteUser = z
  .object({
    id: subject.nullish(),
    sub: subject.nullish(),
    ...perProfileField('storedAs', ({ upstreamMaxCharacters }) => upstreamText(upstreamMaxCharacters)),
    emailVerified: z.boolean().nullish().catch(undefined),
    name: upstreamText(200),
    firstName: upstreamText(200),
    picture: upstreamText(2048),
    photoUrl: upstreamText(2048),
    profilePicture: upstreamText(2048),
    ethAddress: upstreamText(42).transform((address) => {
      if (address == null) return address;
      return isAddress(address, { strict: false }) ? getAddress(address) : null;
    }),
    waxAddress: upstreamText(64),
    provider: upstreamText(40).transform((provider) => provider?.toLowerCase()),
  })
  .transform(({ id, sub, ...user }, context) => {
    const given = id ?? sub;
    if (given != null) return { ...user, subject: given };
    context.addIssue({ code: 'custom', message: 'must have an id or a sub' });
    return z.NEVER;
  });
export type RemoteUser = z.infer<typeof remoteUser>;
