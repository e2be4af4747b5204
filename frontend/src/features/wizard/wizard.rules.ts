import { limits } from '@orange-id/contract/limits';
import { profileGaps, type ProfileGap } from '@orange-id/contract/profile.rule';
import { profileUpdate, type ProfileUpdate } from '@orange-id/contract/profile.schema';
import { checkName, type NameVerdict } from '@orange-id/contract/text.rule';

export type Profile = Parameters<typeof profileGaps>[0];

/** Checks the name of a project to be. */
export const projectNameVerdict = (name: string): NameVerdict =>
  checkName(name, limits.projectNameMaxCharacters);

/** `required`: nothing was typed; else why the profile cannot hold it, as the contract's 'must …' phrase. */
export type ProfileRefusal = 'required' | { phrase: string };

/** Why this text cannot fill the part of the profile; `null` when it can. */
export function profileTextRefusal(part: ProfileGap, text: string): ProfileRefusal | null {
  if (text.trim() === '') return 'required';
  const issue = profileUpdate.safeParse({ [part]: text.trim() }).error?.issues[0];
  return issue ? { phrase: issue.message } : null;
}

/** What is wrong with the texts for the parts that this profile lacks, by part. */
export const profileTextRefusals = (
  profile: Profile,
  texts: Record<ProfileGap, string>,
): Partial<Record<ProfileGap, ProfileRefusal>> =>
  Object.fromEntries(
    profileGaps(profile).flatMap((part) => {
      const refusal = profileTextRefusal(part, texts[part]);
      return refusal === null ? [] : [[part, refusal]];
    }),
  );

/** The update that fills what the profile lacks with what was typed. */
export const profileFilling = (profile: Profile, texts: Record<ProfileGap, string>): ProfileUpdate =>
  Object.fromEntries(profileGaps(profile).map((part) => [part, texts[part].trim()]));
